"""The style of the HTML report and the content policy that lets nothing else in: pure."""

from __future__ import annotations

import base64
import hashlib

STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1c2126;--soft:#56606b;--line:#cfd6dd;--card:#f6f8fa;
--link:#0b57a4;--success:#1a7a58;--partial:#8a6500;--failure:#b13c10;--unknown:#66707b;--halo:#f6f8fa;
--action:#e3effb;--tool:#fdf1d8;--concept:#e6f4e6;--symptom:#fde7e0;--cause:#f2e6f7;--edge:#4a545f}
@media (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e7ebef;--soft:#a9b3bd;--line:#3a444e;--card:#1c2229;
--link:#8cc2f7;--halo:#1c2229;--action:#1d3348;--tool:#41351a;--concept:#1f3a24;--symptom:#47261c;--cause:#382644;
--edge:#a9b3bd}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:64rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,"Noto Sans KR","Noto Sans CJK KR","Malgun Gothic",sans-serif;overflow-wrap:anywhere}
:lang(ko){word-break:keep-all}
h1{font-size:1.5rem;line-height:1.25}h2{margin-top:2.5rem;border-bottom:2px solid var(--line);font-size:1.3rem}
h3{font-size:1.1rem}h4{margin:0 0 .5rem;font-size:1rem}
a{color:var(--link)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link)}
.soft,dt,caption{color:var(--soft)}
.note{margin:.5rem 0;padding:.5rem .75rem;border-left:4px solid var(--partial);background:var(--card)}
.glance{padding-left:1.2rem;font-size:1.05rem}
article{margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:8px;background:var(--card)}
article.success{border-left:6px solid var(--success)}article.failure{border-left:6px solid var(--failure)}
.parts{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem}
.mark{display:inline-block;margin:0 .35rem .35rem 0;padding:0 .5rem;border:1px solid var(--line);
border-radius:1rem;font-size:.85rem}
figure{margin:0}svg{max-width:100%;height:auto}
dl{margin:.5rem 0}dt{font-size:.85rem}dd{margin:0 0 .4rem}
.try{padding:.5rem .75rem;border:1px dashed var(--line)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}caption{text-align:left}
th,td{padding:.35rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.number,th.number{text-align:right}td.number{white-space:nowrap}tr[id]>*{border-bottom:0}
td,th{overflow-wrap:normal}.name,.ids{overflow-wrap:anywhere}.name{min-width:9rem}
code{font-size:.85em}ul.ids{display:flex;flex-wrap:wrap;gap:.2rem .8rem;padding:0;list-style:none}
.node rect,.node polygon{stroke:var(--edge);stroke-width:1.3}
.node.general rect,.node.general polygon{stroke-dasharray:5 3;stroke-width:1.8}
.node.action rect{fill:var(--action)}.node.tool polygon{fill:var(--tool)}.node.concept rect{fill:var(--concept)}
.node.symptom polygon{fill:var(--symptom)}.node.cause polygon{fill:var(--cause)}
svg text{fill:var(--ink);text-anchor:middle;font-family:inherit}
.label{font-size:13px}.kind,.edge text,.scale{font-size:10.5px}.kind,.scale{fill:var(--soft)}
.edge path{fill:none;stroke:var(--edge);stroke-width:1.4}.edge polygon{fill:var(--edge)}
.edge text{paint-order:stroke;stroke:var(--halo);stroke-width:4px;stroke-linejoin:round}
rect.success{fill:var(--success)}rect.partial{fill:var(--partial)}rect.failure{fill:var(--failure)}
rect.unknown{fill:var(--unknown)}
svg text.count{fill:#fff;font-size:12px}
.track{stroke:var(--line);stroke-width:4}.tick{stroke:var(--line);stroke-width:1}
.interval{stroke:var(--ink);stroke-width:4}.rate{fill:var(--ink)}.baseline{stroke:var(--link);stroke-width:2.5}
.key{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;list-style:none;font-size:.9rem}
.key svg{vertical-align:-.2em;margin-right:.35em}
@media (max-width:44rem){.parts{grid-template-columns:minmax(0,1fr)}body{padding:.75rem}article{padding:.75rem}
.more{display:none}td.number{white-space:normal}.name{min-width:6.5rem}th,td{padding:.3rem .25rem}}
@media print{:root{--page:#fff;--ink:#000;--soft:#333;--card:#fff;--line:#999;--link:#000;--halo:#fff;
--action:#e3effb;--tool:#fdf1d8;--concept:#e6f4e6;--symptom:#fde7e0;--cause:#f2e6f7;--edge:#333}body{max-width:none;padding:0}
.parts,figure,tr{break-inside:avoid}h2,h3,h4,p.soft,h2+p,.key,h4+p{break-after:avoid}.scroll{overflow:visible}
rect,polygon{print-color-adjust:exact;-webkit-print-color-adjust:exact}
section:not(.brief) details::details-content{display:block;content-visibility:visible;block-size:auto}}
"""
"""Class names and colours only: nothing of it depends on what is stored."""


def content_policy(style: str = STYLE) -> str:
    """A policy that lets one style in, known by its hash: no script, image, font, frame, form or request."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
