"""The figure of models/README.md, drawn from results.json: macro F1 of each model beside the baseline's, as a picture that needs no library to draw or to show."""

from html import escape

from labels import PACKAGES

PANELS = (("labelled", "documents, by the guide"), ("written", "written, hard on purpose"), ("written_in_other_words", "written, in other words"))
# Pixels; the axis of a panel begins at LOWEST and ends at 1.
NAMES, PANEL, GAP, ROW, TOP, LOWEST = 250, 230, 36, 20, 64, 0.55
OWN, OTHER, INK, RULE = "#0b5cad", "#d9730d", "#1f2328", "#d0d7de"


def chart(results: dict, titles: dict[str, str]) -> str:
    """A row a model, a panel a test part: a filled dot with the 95% interval for the package, a ring for the baseline. What lies below the axis is drawn at its beginning."""
    rows = [row for package in PACKAGES for row in ((titles[package], None), *((model, r) for model, r in results[package]["models"].items()))]
    width, height = NAMES + len(PANELS) * (PANEL + GAP), TOP + len(rows) * ROW + 30
    left = {part: NAMES + at * (PANEL + GAP) for at, (part, _) in enumerate(PANELS)}

    def x(part: str, score: float) -> float:
        return round(left[part] + PANEL * (max(score, LOWEST) - LOWEST) / (1 - LOWEST), 1)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="12" fill="{INK}" role="img" aria-label="Macro F1 of each model beside the baseline">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
           f'<circle cx="{NAMES + 5}" cy="16" r="4" fill="{OWN}"/><text x="{NAMES + 14}" y="20">package, macro F1 and 95% interval</text>',
           f'<circle cx="{NAMES + 245}" cy="16" r="3.5" fill="none" stroke="{OTHER}" stroke-width="1.5"/><text x="{NAMES + 254}" y="20">baseline (TF-IDF, logistic regression); the axes begin at {LOWEST}</text>']
    bottom = TOP + len(rows) * ROW
    for part, name in PANELS:
        out.append(f'<text x="{left[part]}" y="46" font-weight="600">{escape(name)}</text>')
        for tick in (0.6, 0.7, 0.8, 0.9, 1.0):
            out.append(f'<line x1="{x(part, tick)}" x2="{x(part, tick)}" y1="{TOP - 8}" y2="{bottom}" stroke="{RULE}"/><text x="{x(part, tick)}" y="{bottom + 16}" text-anchor="middle" font-size="11">{tick:.1f}</text>')
    for at, (name, r) in enumerate(rows):
        y = TOP + at * ROW + ROW / 2
        weight = ' font-weight="600"' if r is None else ""
        out.append(f'<text x="{0 if r is None else 12}" y="{y + 4}"{weight}>{escape(name)}</text>')
        for part, _ in PANELS if r else ():
            if not r.get(part):
                continue
            own, other = r[part]["model"], r[part]["baseline"]["macro_f1"]
            low, high = own["macro_f1_95"]
            tip = escape(f"{name}: {own['macro_f1']:.3f} ({low:.3f} to {high:.3f}), baseline {other:.3f}")
            out.append(f'<g><title>{tip}</title><line x1="{x(part, low)}" x2="{x(part, high)}" y1="{y}" y2="{y}" stroke="{OWN}" stroke-width="2" opacity="0.45"/>'
                       f'<circle cx="{x(part, own["macro_f1"])}" cy="{y}" r="4" fill="{OWN}"/><circle cx="{x(part, other)}" cy="{y}" r="3.5" fill="none" stroke="{OTHER}" stroke-width="1.5"/></g>')
    return "\n".join([*out, "</svg>", ""])
