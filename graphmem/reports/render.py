"""A pattern report in one of its forms: text, Markdown, HTML or JSON. Pure.

Stored text can be nothing but text in any of them. JSON holds it as it is; who prints it to a terminal
escapes what could steer that.
"""

from __future__ import annotations

import json
from typing import Literal, assert_never

from graphmem.reports.patterns.html import html_page
from graphmem.reports.patterns.markdown import markdown_lines
from graphmem.reports.patterns.text import text_lines
from graphmem.reports.patterns.values import PatternReport

ReportFormat = Literal["text", "md", "html", "json"]


def render_report(report: PatternReport, form: ReportFormat) -> str:
    """The report in one of its forms, ending with a line feed."""
    match form:
        case "text":
            return "\n".join(text_lines(report)) + "\n"
        case "md":
            return "\n".join(markdown_lines(report)) + "\n"
        case "html":
            return html_page(report)
        case "json":
            return json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n"
        case _:
            assert_never(form)
