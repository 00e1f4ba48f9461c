"""Statements of two figures, put together from the tables below: which of them is the larger is all that says what rose and what fell. Half of the test part is of things that are in none that is learnt, and its frames are in none either.

By itself, it says how packages read sentences of calls that compare two figures and have no word for the direction; nothing learns these:

    python models/training/compared.py --corpora ../shared/corpora --models models
"""

import argparse
import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from plain import THINGS, is_plural, things

NAME = "two figures"


@dataclass(frozen=True)
class Quantity:
    """Things that are given in the same units, and what it means to each model that they rise, fall or stay."""

    learnt: tuple[str, ...]
    tested: tuple[str, ...]
    units: tuple[str, ...]
    means: dict[str, tuple[str, str, str]]


GOOD = {"ec_growth": ("Positive Growth", "Negative Growth", "Neutral"), "ec_financial_sentiment": ("Positive", "Negative", "Neutral")}
BAD = {"ec_financial_sentiment": ("Negative", "Positive", "Neutral")}
HAWKISH, DOVISH = {"cb_stance_label": ("Hawkish", "Dovish", "Neutral")}, {"cb_stance_label": ("Dovish", "Hawkish", "Neutral")}

QUANTITIES: dict[str, tuple[Quantity, ...]] = {
    "earnings-call": (
        Quantity(
            things("revenue; net sales; total revenue; operating income; net income; adjusted EBITDA; free cash flow; gross profit; service revenue; orders; bookings; backlog; sales in Europe; operating cash flow; product revenue; segment profit; subscription revenue; net interest income; adjusted net income; license revenue; EBIT; our backlog; deposits; assets under management; core earnings; "
                   "sales in the segment; funds from operations; revenue from the top ten customers; total net revenue; cash from operations; adjusted operating income; new orders; EBITDA; organic sales; royalty income; billings; average daily sales; sales at constant currency; premiums written; loans outstanding; capital returned to shareholders; cash and investments"),
            things("the top line; turnover; fee income; pretax income; advertising revenue; segment EBITDA; contract value; gross bookings; distributable cash flow; sales of spare parts"),
            ("millions", "billions", "both"), GOOD,
        ),
        Quantity(
            things("earnings per share; diluted earnings per share; adjusted EPS; GAAP EPS; net income per share; diluted EPS; funds from operations per share; earnings per diluted share; non-GAAP earnings per share; adjusted earnings; core FFO per share; earnings from continuing operations; our adjusted diluted earnings per share; book value per share; the dividend; EPS; revenue per unit"),
            things("net income per diluted share; profit per share; cash earnings per share; operating earnings per share"),
            ("a share",), GOOD,
        ),
        Quantity(
            things("gross margin; operating margin; adjusted EBITDA margin; occupancy; the retention rate; market share; return on equity; the gross profit margin; the net interest margin; our win rate; utilization; the renewal rate; segment margin; same-store occupancy; product gross margin; the load factor; contribution margin; customer retention; return on invested capital; the attach rate; comparable sales growth; organic growth; adjusted operating margin; incremental margin; free cash flow conversion"),
            things("the EBIT margin; net revenue retention; capacity utilization; our share of the market; the conversion rate; service gross margin; return on assets"),
            ("percent",), GOOD,
        ),
        Quantity(
            things("subscribers; active customers; units sold; shipments; daily active users; vehicles delivered; orders received; homes closed; room nights; store count; new accounts; patients on therapy; rigs at work; visits; loads; members; paying users; unit deliveries; average daily volume; tons sold; production; guests; new customers; net new customers; the number of stores; passengers; installed systems; barrels a day; transactions"),
            things("policies in force; enrollments; procedures; accounts; merchants on the platform; wafers shipped; lots closed"),
            ("count", "million units"), GOOD,
        ),
        Quantity(
            things("operating expenses; SG&A; interest expense; net debt; total debt; restructuring charges; the net loss; R&D expense; general and administrative expenses; the provision for credit losses; inventory write-downs; operating costs; freight costs; cash burn; the operating loss; corporate expenses; legal costs; cost of sales; impairment charges; warranty expense; past-due receivables"),
            things("our overhead; net charge-offs; start-up costs; borrowings; the loss before tax"),
            ("millions", "billions", "both"), BAD,
        ),
        Quantity(
            things("churn; the combined ratio; the loss ratio; the delinquency rate; the effective tax rate; the net charge-off rate; SG&A as a percentage of sales; employee turnover; the expense ratio; customer churn; the vacancy rate; monthly churn; the cost-to-income ratio"),
            things("attrition; the default rate; the scrap rate; the efficiency ratio; the cancellation rate"),
            ("percent",), BAD,
        ),
    ),
    "central-bank": (
        Quantity(
            things("inflation; core inflation; headline inflation; consumer price inflation; wage growth; annual inflation; services inflation; the annual rate of inflation; producer price inflation; food price inflation; inflation expectations for the year ahead; the rise in the consumer price index; HICP inflation; year-on-year inflation; underlying inflation; the increase in average earnings; the twelve-month increase in consumer prices; expected inflation; the inflation forecast for next year"),
            things("CPI inflation; the growth of negotiated wages; house price inflation; the annual change in goods prices; energy inflation"),
            ("percent",), HAWKISH,
        ),
        Quantity(
            things("GDP growth; growth in the second quarter; the growth of output; annual growth of industrial production; retail sales growth; credit growth; real GDP growth; export growth; growth of household consumption; capacity utilisation; quarterly growth; the annual growth of bank lending; growth in private investment; employment growth; the growth forecast for next year"),
            things("growth of domestic demand; the expansion of gross domestic product; growth of manufacturing output; the rise in payrolls"),
            ("percent",), HAWKISH,
        ),
        Quantity(
            things("the purchasing managers' index; the index of business confidence; the manufacturing index; consumer confidence; the composite index; the activity index; new jobs; job vacancies; housing starts; car registrations"),
            things("the services index; the business climate index; building permits"),
            ("index", "count"), HAWKISH,
        ),
        Quantity(
            things("the unemployment rate; unemployment; the jobless rate; the share of long-term unemployed; the rate of unemployment; youth unemployment; spare capacity; the unemployment rate of the euro area"),
            things("joblessness; the underemployment rate; the seasonally adjusted unemployment rate"),
            ("percent",), DOVISH,
        ),
    ),
}

# x is the figure of now, y that of before; p and q are shares, where the unit is another; v is a word that says what a thing was and c one that compares. What is in capitals begins the sentence.
LEARNT = (
    "{T} {v} {x}{now}, {c} {y}{then}.", "{T} {v} {x}{now} {c} {y}{then}.", "{T} {v} {x}, {c} {y}{then}.", "{T} {v} {x} {c} {y}.", "{Now} {t} {v} {x}, {c} {y}{then}.", "{Now}, {t} {v} {x} {c} {y}{then}.", "{T} of {x} {c} {y}{then}.", "{T} of {x}{now}, {c} {y}{then}.", "We reported {t} of {x}{now}, {c} {y}{then}.",
    "{T} of {x} compares to {y}{then}.", "{T} for the third quarter {v} {x} {c} {y} for the same quarter in 2019.", "{T} for the 12 months ended June 30 {v} {x}, {c} {y} in 2020.", "{T} {v} {x}{now}, {c} the {y}{then}.", "{T}: {x} {c} {y}{then}.", "{T} {v} {x}, or {p} of the total, {c} {y}, or {q} of the total{then}.",
    "{T} {v} {x}{now}, {c} {y}{then}, on 15 percent of the base.", "{T} {v} {x}{now}, with a share of {p}, {c} {y}{then}.", "{T} {is} now expected to be {x}, {c} {y} in the previous forecast.", "That brought {t} to {x}{now}, {c} {y}{then}.", "We ended the period with {t} of {x}, {c} {y}{then}.", "{T} {v} {x}{now}, which compares with {y}{then}.",
    "{T} {v} {x}{now}, {c} {y}{then} and {y} in the period before that.", "{T}, at {x}, {c} {y}{then}.", "{T} {v} {x}{now} ({y}{then}).", "{T} {v} {x}{now}; {then_}, {it} {was} {y}.", "{T} {v} {x}{now}, where {it} had been {y}{then}.", "{T}, which had been {y}{then}, {v} {x}{now}.", "The figure for {t} is {x}{now}, following {y}{then}.",
    "{T} {v} {x}{now}, after {y}{then}.", "{T} went from {y}{then} to {x}{now}.", "From {y}{then}, {t} went to {x}.", "{T} moved from {y} to {x}.", "{T} moved to {x}{now} from {y}{then}.", "{T} went to {x} from {y}{then}.", "{Then}, {t} {v} {y}, and {now_} {it} {was} {x}.", "{Then} we had {t} of {y}; today {it} {is} {x}.",
    "{T} {v} {y}{then} and {v} {x}{now}.", "{Then} {t} {v} {y}; {now_} {it} {v} {x}.", "Having been {y}{then}, {t} {v} {x}{now}.",
)
VERBS = things("was; was; was; came in at; totaled; reached; stood at; ended at; finished at; ran at; registered; averaged; equaled; landed at; turned out to be; were reported at")
COMPARING = things("compared to; compared with; compared to; compared with; versus; vs.; as compared to; as compared with; against; in comparison with; in contrast to")
TESTED = (
    "{T} {was} {x}{now} as against {y}{then}.", "{T} amounted to {x}{now}, compared to {y}{then}.", "{T} {was} {y}{then} and {x}{now}.", "{Then}, {t} amounted to {y}, whereas {now_} {it} came to {x}.", "With {t} at {x}{now}, versus {y}{then}, let me turn to the outlook.",
    "{T} changed from {y} to {x}{now}.", "At {x}, {t} compare{s} with {y}{then}.", "{T} {was} {x}, or {p} of the whole, versus {y}, or {q}{then}.", "For the period, {t} {was} {x} relative to {y}{then}.", "{T} printed {x}{now}, having been {y}{then}.",
)
# Two figures that say nothing of a rise or fall.
BESIDE = (
    "{T} {was} {x} in the north and {y} in the south.", "{T} {is} between {low} and {high}.", "Of {t}, {x} came from the first group and {y} from the second.", "{T} in a range of {low} to {high} would not surprise us.", "{T} {was} {x} by one measure and {y} by the other.", "{T} of {x} and {y} were reported by the two units.",
)
NOW = {
    "earnings-call": (" in the quarter; for the quarter; in Q3; this year; for the full year; in the second quarter; in the segment; at quarter-end; this quarter; in fiscal 2021", " in the three months; for the first half; at the end of the period"),
    "central-bank": (" in May; in the second quarter; in 2019; this year; in the latest month; in October; over the past year; in Q2; in the year to June", " in the most recent release; in the third quarter; in August"),
}
THEN = {
    "earnings-call": (" a year ago; in the prior year; in the same quarter last year; in the prior-year quarter; last year; in the first quarter; in fiscal 2020; in Q1; for the same period in 2019; at year-end; in the previous quarter; at the end of June; in the year-ago period; a year earlier; in 2018", " twelve months before; in the comparable period; previously; in the year-earlier quarter; the year before"),
    "central-bank": (" in April; in the first quarter; in 2018; last year; in the previous month; a year earlier; in the month before; in September; in the January forecast; in Q1; a month ago; in the previous report", " in the preceding release; in the quarter before; in July; twelve months before"),
}
# Of several, though the last word does not say so.
COUNTED = re.compile(r"^(?:new )?\w+s (?:\w+ed|sold|outstanding|a day|at work|on therapy|in force|on the platform)$")
BESIDE_SHARE, SAME_SHARE = 0.12, 0.1
# How far the figures are apart: a factor, as often small as large.
FACTORS = (1.004, 1.01, 1.02, 1.04, 1.08, 1.15, 1.3, 1.6, 2.2, 4.0)


def figures_of(unit: str, factor: float, rng: random.Random) -> tuple[str, str]:
    """A smaller figure and a larger one, and as they are written both differ (unless `factor` is 1)."""
    per_cent = rng.choice(("%", " percent"))
    words = rng.choice((" million", " million dollars")) if rng.random() < 0.1 else " million"
    low = rng.choice((rng.uniform(1, 20), rng.uniform(10, 100), rng.uniform(100, 900)))
    places = rng.choice((0, 1)) if low > 20 else rng.choice((1, 2))
    spelled = {
        "millions": lambda v: f"${v:,.{places}f}{words}" if "dollars" not in words else f"{v:,.{places}f}{words}",
        "billions": lambda v: f"${v:,.{max(places, 1)}f} billion",
        "both": lambda v: f"${v:,.0f} million" if v < 1000 else f"${v / 1000:,.{places + 1}f} billion",
        "a share": lambda v: f"${v:.2f}",
        "percent": lambda v: f"{v:.{max(places, 1)}f}{per_cent}",
        "count": lambda v: f"{v:,.0f}",
        "million units": lambda v: f"{v:.1f} million",
        "index": lambda v: f"{v:.1f}",
    }[unit]
    low = {"billions": rng.uniform(1, 40), "both": rng.uniform(600, 1000), "a share": rng.choice((rng.uniform(0.05, 1), rng.uniform(0.5, 6))), "percent": rng.choice((rng.uniform(0.5, 9), rng.uniform(5, 60))),
           "count": rng.choice((rng.uniform(12, 300), rng.uniform(300, 9000), rng.uniform(9000, 400_000))), "million units": rng.uniform(1, 60), "index": rng.uniform(30, 110)}.get(unit, low)
    if unit == "percent":
        low = min(low, 95 / factor)
    high = low * factor
    step = 1.0
    while factor != 1 and spelled(low) == spelled(high):
        high, step = low + step * 0.02 * max(1.0, low * 0.02), step * 2
    return spelled(low), spelled(high)


def statement(package: str, test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    part = 1 if test else 0
    quantity = rng.choice(QUANTITIES[package])
    thing = rng.choice(quantity.tested if test == THINGS else quantity.learnt)
    drawn = rng.random()
    beside, same = not test and drawn < BESIDE_SHARE, BESIDE_SHARE <= drawn < BESIDE_SHARE + SAME_SHARE
    unit = rng.choice(quantity.units)
    low, high = figures_of(unit, 1.0 if same else rng.choice(FACTORS), rng)
    rises = rng.random() < 0.5
    x, y = (high, low) if rises else (low, high)
    share = rng.sample(range(3, 60), 2)
    now, then = rng.choice(things(NOW[package][part])), rng.choice(things(THEN[package][part]))
    plural, verb = is_plural(thing) or bool(COUNTED.search(thing)), rng.choice(VERBS)
    verb = {"was": "were"}.get(verb, verb) if plural else verb.replace("were ", "was ")
    upper = lambda text: f"{text[0].upper()}{text[1:]}"  # noqa: E731
    frames = [f for f in (BESIDE if beside else TESTED if test else LEARNT) if unit != "percent" or "{p}" not in f]
    text = rng.choice(frames).format(
        t=thing, T=upper(thing), x=x, y=y, low=low, high=high, p=f"{share[0]}%", q=f"{share[1]}%", was="were" if plural else "was", **{"is": "are" if plural else "is"}, it="they" if plural else "it", s="" if plural else "s",
        v=verb, c=rng.choice(COMPARING), now=f" {now}" if rng.random() < 0.6 else "", then=f" {then}", now_=now, then_=then, Now=upper(now), Then=upper(then),
    )
    end = 2 if beside or same else 0 if rises else 1
    return text, {model: ends[end] for model, ends in quantity.means.items()}


# Sentences of calls: a quantity, a figure, a word that compares, a figure of the same kind, and no word that tells the direction.
FIGURE = r"(?P<{0}>\$ ?\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?|\d[\d,]*(?:\.\d+)?(?:%| percent| basis points)|\d[\d,]*(?:\.\d+)? (?:million|billion))"
COMPARISON = re.compile(
    r"\b(?:revenues?|sales|income|EBITDA|EPS|earnings|margins?|cash flow|orders|bookings|backlog|profit|FFO|funds from operations|volumes?|deliveries|units|subscribers|customers)\b[^.;$%\d]{0,60}?(?:was|were|of|at|totaled|is)\b[^.;$%\d]{0,20}"
    + FIGURE.format("x") + r"[^;$%\d]{0,60}?\b(?:compared (?:to|with)|versus|vs\.?|as against|against)\b[^;$%\d]{0,40}?" + FIGURE.format("y"), re.IGNORECASE,
)
TELLS = re.compile(
    r"\b(?:up|down|increas\w*|decreas\w*|gr[eo]w\w*|growth|declin\w*|ris(?:e|es|en|ing)|rose|f[ae]ll\w*|lower\w*|higher|improv\w*|reduc\w*|drop\w*|gain\w*|better|worse|stronger|weaker|record|expan\w*|contract(?:ed|ion)|deteriorat\w*|jump\w*|climb\w*|exceed\w*|beat|miss\w*|range|guidance|expect\w*|loss\w*|expenses?|costs?|tax|debt|negative|positive|use of cash|SG&A|marketing)\b",
    re.IGNORECASE,
)
SCALE = {"million": 1e6, "billion": 1e9}


def as_figures_say(sentence: str) -> str | None:
    """The label of ec_growth, where a sentence compares two figures and says no direction; None: any other sentence."""
    match = COMPARISON.search(sentence)
    if not match or TELLS.search(sentence):
        return None
    sizes, kinds = [], []
    for name in ("x", "y"):
        figure = match[name]
        scale = next((value for word, value in SCALE.items() if figure.endswith(word)), 1.0)
        sizes.append(float(re.sub(r"[^\d.]", "", figure).rstrip(".")) * scale)
        kinds.append("$" if "$" in figure else "%" if figure.endswith(("%", "percent")) else "points" if figure.endswith("points") else "")
    if kinds[0] != kinds[1] or not 0.1 < sizes[0] / max(sizes[1], 1e-9) < 10:
        return None
    return "Positive Growth" if sizes[0] > sizes[1] else "Negative Growth" if sizes[0] < sizes[1] else "Neutral"


def main() -> None:
    from data import read_corpus
    from variants import FULL, ask, encoder, session

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    parser.add_argument("--models", type=Path, nargs="+", default=[Path("models")])
    parser.add_argument("--show", action="store_true", help="print the sentences that the last of them reads otherwise")
    args = parser.parse_args()
    sentences = [s for group in read_corpus("earnings-call", args.corpora).values() for s in group]
    told = {s: label for s in sentences if (label := as_figures_say(s))}
    print(f"{len(told)} of {len(sentences)} sentences: {dict(Counter(told.values()))}")
    labels = ("Positive Growth", "Negative Growth", "Neutral")
    for models in args.models:
        folder = models / "earnings-call"
        said = [labels[k] for k in ask(session(folder / FULL), encoder(folder)(list(told)))["ec_growth"].argmax(1)]
        found = Counter("as the figures say" if own == label else "Neutral" if own == "Neutral" else "otherwise" for own, label in zip(said, told.values()))
        print(models, {what: f"{n} ({100 * n / len(told):.0f}%)" for what, n in found.most_common()})
    if args.show:
        for (sentence, label), own in zip(told.items(), said):
            if own != label:
                print(f"{label} | {own} | {sentence}")


if __name__ == "__main__":
    main()
