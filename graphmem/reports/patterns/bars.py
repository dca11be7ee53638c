"""How the episodes of a pattern ended, as an inline SVG bar with its interval and its baseline: pure."""

from __future__ import annotations

from graphmem.models.pattern import Pattern
from graphmem.reports.patterns.wording import Wording, percent
from graphmem.reports.patterns.words import PictureWords

_WIDTH, _LEFT, _RIGHT = 320.0, 10.0, 310.0
_READABLE = 18.0
"""Width from which a segment holds its count."""


def outcome_svg(wording: Wording, pattern: Pattern, name: str) -> str:
    """The outcomes as a stacked bar; below it the rate of success with its interval against the baseline.

    Args:
        wording: Of the report.
        pattern: With its figures.
        name: Makes the ids of the picture's title and description unique on the page.
    """
    words = wording.words.picture
    rated = pattern.success_rate is not None
    height = 84 if rated else 30
    said = [wording.endings(pattern.outcomes)]
    if pattern.success_rate is not None and pattern.interval is not None:
        said.append(words.success.format(percent(pattern.success_rate)))
        said.append(words.interval.format(wording.percent_range(pattern.interval)))
    if pattern.baseline is not None:
        said.append(words.baseline.format(percent(pattern.baseline)))
    return (
        f'<svg class="bar" role="img" aria-labelledby="{name}-t {name}-d" viewBox="0 0 {_WIDTH:.0f} {height}" '
        f'width="{_WIDTH:.0f}" height="{height}"><title id="{name}-t">{words.outcomes}</title>'
        f'<desc id="{name}-d">{"; ".join(said)}</desc>{_segments(pattern)}{_rate(pattern, words)}</svg>'
    )


def _segments(pattern: Pattern) -> str:
    counts = pattern.outcomes.model_dump()
    total = sum(counts.values()) or 1
    parts, at = [], _LEFT
    for outcome, count in counts.items():
        width = (_RIGHT - _LEFT) * count / total
        if count:
            parts.append(f'<rect class="{outcome}" x="{at:.1f}" y="4" width="{width:.1f}" height="20"/>')
        if width >= _READABLE:
            parts.append(f'<text class="count" x="{at + width / 2:.1f}" y="19">{count}</text>')
        at += width
    return "".join(parts)


def _rate(pattern: Pattern, words: PictureWords) -> str:
    if pattern.success_rate is None:
        return ""
    parts = [f'<line class="track" x1="{_LEFT}" y1="54" x2="{_RIGHT}" y2="54"/>']
    parts += [
        f'<text class="scale" x="{min(_x(share), _RIGHT - 6):.1f}" y="80">{share:.0%}</text>'
        f'<line class="tick" x1="{_x(share):.1f}" y1="54" x2="{_x(share):.1f}" y2="66"/>'
        for share in (0.0, 0.5, 1.0)
    ]
    if pattern.interval is not None:
        low, high = map(_x, pattern.interval)
        parts.append(f'<line class="interval" x1="{low:.1f}" y1="54" x2="{high:.1f}" y2="54"/>')
    if pattern.baseline is not None:
        at = _x(pattern.baseline)
        parts.append(f'<line class="baseline" x1="{at:.1f}" y1="44" x2="{at:.1f}" y2="64"/>')
        beside = min(max(at, 46), _WIDTH - 46)
        said = words.baseline.format(percent(pattern.baseline))
        parts.append(f'<text class="scale" x="{beside:.1f}" y="40">{said}</text>')
    parts.append(f'<circle class="rate" cx="{_x(pattern.success_rate):.1f}" cy="54" r="5"/>')
    return "".join(parts)


def _x(share: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * share
