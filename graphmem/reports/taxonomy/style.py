"""The style of the pages of concepts: class names and colours only, nothing of what is stored. Pure."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1c2126;--soft:#56606b;--line:#cfd6dd;
--against:#b13c10;--link:#0b57a4}
@media (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e7ebef;--soft:#a9b3bd;--line:#3a444e;
--against:#f0906c;--link:#8cc2f7}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:64rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,"Noto Sans KR","Noto Sans CJK KR","Malgun Gothic",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}h2{border-bottom:2px solid var(--line);font-size:1.2rem}
.soft{color:var(--soft);font-size:.9rem}.against{color:var(--against)}
ul.tree,ul.tree ul{margin:0;padding-left:1.1rem;list-style:none;border-left:1px solid var(--line)}
ul.tree li{padding-left:.5rem}
ul.evidence{margin:.2rem 0 .4rem;padding-left:1.4rem}
details{display:inline-block;vertical-align:top}summary{cursor:pointer;color:var(--soft);font-size:.9rem}
summary:focus-visible{outline:3px solid var(--link)}
@media print{:root{--page:#fff;--ink:#000;--soft:#333;--line:#999;--against:#000}body{max-width:none;padding:0}}
"""
