"""Probes: plain everyday phrases, each said of several things, to find the phrases that a network misreads whatever they are said of ("Policy is too tight.", "Volume is not growing."). A test of single sentences hides such a blind spot: it is one sentence there, and one in a hundred misread is no alarm.
What is written after a blind spot was seen has its phrases, mostly said of other things (`sentences/README.md`, writing 22; 17 of these sentences are learnt as they stand, and two tested). So this says whether it is mended; the tests say how far that goes.

python models/training/probes.py --package earnings-call models/earnings-call fitted/earnings-call.pt

Of each network, the share that is read right by model, and the phrases of which less than --below are.
"""

import argparse
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import torch
from labels import PACKAGES
from main_fit import logits_of


@dataclass(frozen=True)
class Probe:
    """What each phrase makes of each thing: `X` is the thing where a sentence begins, `x` within it."""

    model: str
    label: str
    things: tuple[str, ...]
    phrases: tuple[str, ...]

    def sentences(self) -> list[tuple[str, str]]:
        """(phrase, sentence)."""
        put = [(phrase, re.sub(r"\bX\b", thing, re.sub(r"\bx\b", within(thing), phrase))) for phrase in self.phrases for thing in self.things]
        return [(phrase, text if text.endswith("?") else f"{text}.") for phrase, text in put]


def within(thing: str) -> str:
    """A thing as it stands within a sentence; an abbreviation keeps its capitals."""
    return thing if thing[:2].isupper() else thing[0].lower() + thing[1:]


def split(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(";"))


BUSINESS = split("Revenue; Our customer base; Volume; Traffic; Backlog; EBITDA; Demand; Output; Profitability; Cash flow; Occupancy; Productivity")
COSTS = split("Costs; Expenses; Losses; Defaults; Delinquencies; Complaints; Write-offs; Cancellations")
EVENTS = split("The storm; The acquisition; The strike; The new plant; The recall; The outage; The merger; The price increase")
DECIDERS = split("The Committee; The Board; The Bank; The Governing Council; The Central Bank of Peru; The Monetary Policy Committee")
GAUGES = split("Inflation; Core inflation; Wage growth; Demand; House price growth")
RATES = split("The policy rate; The cash rate; The key rate; The repo rate; The real interest rate")
PROSPECTS = split("The outlook; The path of inflation; The global economy; The fiscal position")

PROBES = (
    Probe(
        "cb_stance_label",
        "Hawkish",
        DECIDERS,
        split(
            "X raised interest rates; X will have to raise rates; X ought to raise the policy rate; X decided against cutting rates; X did not cut rates; X cannot lower rates; X could not lower the key rate; X can no longer lower rates; X is in no position to cut rates; X is unable to lower rates; X should not cut the policy rate; X sees no reason to lower rates; X has no room to cut; X is in no hurry to cut rates; X is done cutting rates; X postponed a cut in rates; X ruled out a cut; X no longer expects to cut rates; X cannot ease further;"
            "X would rather raise rates than lower them; X ended its bond purchases; X will not buy more bonds; X began to shrink its balance sheet; X raised reserve requirements; X withdrew accommodation; X must bring inflation down; X has more work to do on inflation; X fears that inflation will persist; X is worried about inflation; X has not finished raising rates; X thinks that policy is too loose; X thinks that policy is not tight enough"
        ),
    ),
    Probe(
        "cb_stance_label",
        "Dovish",
        DECIDERS,
        split(
            "X lowered interest rates; X will have to lower rates; X ought to lower the policy rate; X decided against raising rates; X did not raise rates; X cannot raise rates; X could not raise the key rate; X can no longer raise rates; X is in no position to raise rates; X is unable to raise rates; X should not raise the policy rate; X sees no reason to raise rates; X has no room to raise rates; X is in no hurry to raise rates; X is done raising rates; X postponed a rise in rates; X ruled out a rise; X no longer expects to raise rates; X cannot tighten further;"
            "X would rather lower rates than raise them; X resumed its bond purchases; X will go on buying bonds; X stopped shrinking its balance sheet; X lowered reserve requirements; X provided accommodation; X must support growth; X has done enough on inflation; X fears that demand will collapse; X is worried about growth; X is no longer worried about inflation; X thinks that policy is too tight; X thinks that policy is not loose enough"
        ),
    ),
    Probe(
        "cb_stance_label",
        "Hawkish",
        GAUGES,
        split("X remains too high; X is stubborn; X surprised on the upside; X has yet to slow; X refuses to slow; X is not slowing; X is far from weak; X is anything but subdued; X can no longer be called low; X is not low; X has not been tamed; X is not yet under control; X keeps rising; X fell less than expected; X came down more slowly than we had hoped"),
    ),
    Probe(
        "cb_stance_label",
        "Dovish",
        GAUGES,
        split("X remains too low; X is subdued; X surprised on the downside; X has yet to pick up; X refuses to pick up; X is no longer rising; X is far from strong; X is anything but strong; X can no longer be called high; X is not high; X has been tamed; X is under control again; X keeps falling; X rose less than expected; X went up more slowly than we had feared"),
    ),
    Probe("cb_stance_label", "Hawkish", RATES, split("X is too low; X is still too low; X is not high enough; X is lower than it should be; X should be higher")),
    Probe("cb_stance_label", "Dovish", RATES, split("X is too high; X is still too high; X is not low enough; X is higher than it should be; X should be lower")),
    Probe(
        "cb_enhanced_uncertain_label",
        "High Uncertainty",
        PROSPECTS,
        split("X is uncertain; X is unclear; X is not clear; X is far from clear; X is hard to predict; X cannot be predicted; X has become less certain; X is less clear than before; There is no certainty about x; Nobody knows where x is heading; Risks to x have risen; Doubts about x have grown; Uncertainty about x has not receded; We are unsure about x"),
    ),
    Probe(
        "cb_enhanced_uncertain_label",
        "Low Uncertainty",
        PROSPECTS,
        split("X is certain; X is clear; X is no longer unclear; X is not uncertain; X is easy to predict; X can be predicted with confidence; X has become more certain; X is clearer than before; There is no doubt about x; We know where x is heading; Risks to x have fallen; Doubts about x have faded; Uncertainty about x has receded; We are sure about x"),
    ),
    Probe(
        "ec_growth",
        "Positive Growth",
        BUSINESS,
        split("X rose; X is up; X has grown; X will grow; X doubled; X is growing; X keeps growing; X went from nine to twelve; X has never been larger; X reached a record; X returned to growth; We added to x; We expect x to rise; X was larger than a year ago; X exceeded last year's level"),
    ),
    Probe(
        "ec_growth",
        "Negative Growth",
        BUSINESS,
        split("X fell; X is down; X has declined; X will shrink; X halved; X is shrinking; X keeps falling; X went from twelve to nine; X has never been smaller; X hit a record low; X slid; We gave up some x; We expect x to decline; X was smaller than a year ago; X fell short of last year's level"),
    ),
    Probe(
        "ec_growth",
        "Neutral",
        BUSINESS,
        split("X did not grow; X has not grown; X is not growing; X did not decline; X is not shrinking; X did not change; X was flat; X was stable; X neither rose nor fell; X was unchanged; What about x?; We report x every quarter"),
    ),
    Probe(
        "ec_material_impact",
        "Negative Impact",
        EVENTS,
        split("X hurt our results; X cost us ten million dollars; X weighed on margins; X was a headwind; X had an adverse effect; X disrupted production; X did not help; X set us back; X slowed us down; X dragged on earnings; X did us harm; X did us no favors; X made things harder; X came at a bad time for us; X worked against us"),
    ),
    Probe(
        "ec_material_impact",
        "Positive Impact",
        EVENTS,
        split("X helped our results; X saved us ten million dollars; X lifted margins; X was a tailwind; X had a favorable effect; X improved production; X boosted results; X did us good; X did us a favor; X made things easier; X paid off; X gave us a lift; X worked in our favor; X came at the right time for us; X strengthened the business"),
    ),
    Probe("ec_material_impact", "Neutral", EVENTS, split("X had no impact; X had no effect on results; X did not affect us; X did not hurt us; X did us no harm; X was not material; X left results unchanged; X took place in May; We talked about x last time; X neither helped nor hurt")),
    Probe(
        "ec_financial_sentiment",
        "Positive",
        BUSINESS,
        split("X improved; X did not deteriorate; X has not worsened; X is not weak; X was not weak; X is far from weak; X is anything but weak; X is no longer a problem; X has not suffered; X did not suffer; X is out of the woods; X could not be better; We could not be happier with x; There is nothing wrong with x; We are not worried about x; X did not disappoint; X has never been better; X is better than we feared; X fell less than expected; X is on the mend"),
    ),
    Probe(
        "ec_financial_sentiment",
        "Negative",
        BUSINESS,
        split("X deteriorated; X did not improve; X has not improved; X has yet to recover; X is not strong; X was not strong; X is far from strong; X is anything but strong; X is still a problem; X has suffered; X is not out of the woods; X could be better; X left much to be desired; There is something wrong with x; We are not happy with x; X disappointed; X has never been worse; X is worse than we hoped; X is not good enough; X is not what it was; X rose less than expected; X is on the slide"),
    ),
    Probe("ec_financial_sentiment", "Negative", COSTS, split("X rose; X are up; X are not down; X have not come down; X did not fall; X exceeded our plan; X are too high; We could not bring x down")),
    Probe("ec_financial_sentiment", "Positive", COSTS, split("X fell; X are down; X are not up; X have not gone up; X did not rise; X came in below our plan; X are no longer too high; We brought x down")),
    Probe("ec_forward_looking", "Forward Looking", BUSINESS, split("X will rise; We expect x to rise; X is expected to fall; X is about to rise; X is yet to peak; We see x at nine percent in 2031; X should recover; X is unlikely to rise")),
    Probe("ec_forward_looking", "Not Forward Looking", BUSINESS, split("X rose; X was expected to fall but rose; Last year we expected x to fall; We had expected x to rise; X had been likely to rise; X would have risen otherwise; X came in below the forecast; X rose more than expected")),
)


def right_by_phrase(network: Path, package: str) -> dict[tuple[str, str, str], list[bool]]:
    """Of each model, label and phrase, thing by thing: was it read right?"""
    asked = [(probe, phrase, sentence) for probe in PROBES if probe.model in PACKAGES[package] for phrase, sentence in probe.sentences()]
    said = logits_of(network, package, [sentence for *_, sentence in asked])
    right = defaultdict(list)
    for i, (probe, phrase, _) in enumerate(asked):
        right[probe.model, probe.label, phrase].append(PACKAGES[package][probe.model][said[probe.model][i].argmax()] == probe.label)
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", choices=list(PACKAGES), required=True)
    parser.add_argument("networks", type=Path, nargs="+", help="folders of finished packages, or what main_fit.py wrote")
    parser.add_argument("--below", type=float, default=0.75, help="list the phrases of which a smaller share is read right (0.75)")
    args = parser.parse_args()
    if lacking := [str(network) for network in args.networks if not network.exists()]:
        parser.error(f"{', '.join(lacking)}: there is no such file or folder")
    torch.set_num_threads(1)
    columns = [right_by_phrase(network, args.package) for network in args.networks]
    heads = " | ".join(map(str, args.networks))
    print("\n".join([f"| model | phrases | sentences | {heads} |", "|---|---|---|" + "---|" * len(columns)]))
    for model in dict.fromkeys(model for model, *_ in columns[0]):
        of_model = [[right for (m, *_), right in column.items() if m == model] for column in columns]
        print(f"| `{model}` | {len(of_model[0])} | {sum(map(len, of_model[0]))} | " + " | ".join(f"{sum(map(sum, phrases)) / sum(map(len, phrases)):.3f}" for phrases in of_model) + " |")
    print("\n".join(["", f"| phrase | is | {heads} |", "|---|---|" + "---|" * len(columns)]))
    for key in columns[0]:
        shares = [sum(column[key]) / len(column[key]) for column in columns]
        if min(shares) < args.below:
            print(f"| {key[2]} | {key[1]} | " + " | ".join(f"{share:.2f}" for share in shares) + " |")


if __name__ == "__main__":
    main()
