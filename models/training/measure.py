"""Measures finished packages on the test parts as they are now, beside the baseline fitted anew, and writes results.json, the cards and the figure of models/README.md:

    python models/training/measure.py --labels ../shared/labels --corpora ../shared/corpora --models models

For when the test parts changed, or what is asked of them, and the networks did not: what training itself wrote (sizes, times, settings) stays.
With `--only-full` what was measured of the variants stays too, their speeds among it, which are of the machine and the day.
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.special
from baseline import Baseline, fit_baselines
from cards import write_cards
from check import session
from data import PEOPLE, WRITTEN, WRITTEN_FOR_OTHERS, WRITTEN_IN_OTHER_WORDS, WRITTEN_WITH_A_TURN, Example
from evaluate import alarms, score
from labelled import STANCE, USUAL
from labelling_functions import vote
from labels import PACKAGES
from plain import PLAIN
from prepare import prepare, read_parts
from settings import Settings
from statements import is_turned
from turned import WITH_A_TURN
from variants import FULL, ask, encoder, options, results_of, sample
from variants import measure as measure_variants
from weak import WeakExample


def measure(package: str, predict: Callable[[list[str]], dict[str, np.ndarray]], tests: list[Example], weak_test: list[WeakExample], baselines: dict[str, Baseline], of_plain: dict[str, Baseline]) -> dict:
    """Of each model by each part of the test sentences its scores, the baseline's and the commonest label's; `predict` gives the logits of every head, in the order of the texts. `of_plain`: baselines that learnt plain statements too, beside which those, plain and turned, are measured."""
    heads = PACKAGES[package]
    out: dict[str, dict] = {m: {"people": {}, "people_by_source": {}, "labelled": {}, "written": {}, "weak_agreement": {}} for m in heads}
    logits = predict([e.text for e in tests])
    weak_logits = predict([w.text for w in weak_test])
    for model, labels in heads.items():
        rows = [i for i, e in enumerate(tests) if model in e.labels]
        predicted = {i: labels[logits[model][i].argmax()] for i in rows}
        confidence = scipy.special.softmax(logits[model], 1).max(1)
        by_plain = [i for i in rows if tests[i].source == PLAIN]
        others = [i for i in rows if tests[i].source != PLAIN]
        theirs = dict(zip(others, baselines[model].predict([tests[i].text for i in others])))
        if by_plain:
            theirs |= dict(zip(by_plain, of_plain[model].predict([tests[i].text for i in by_plain])))

        def scored(part: list[int], read: dict[str, str] | None = None) -> dict:
            """`read`: what labels are taken for, where not for themselves."""
            true = [(read or {}).get(tests[i].labels[model], tests[i].labels[model]) for i in part]
            counts = Counter(true).values()
            return {"model": score(true, [predicted[i] for i in part], confidence[part]), "baseline": score(true, [theirs[i] for i in part]), "majority_accuracy": round(max(counts) / len(true), 4), "fewest": min(counts)}

        by_people = [i for i in rows if tests[i].source in PEOPLE]
        by_reader = [i for i in rows if tests[i].source == "labelled"]
        by_hand = [i for i in rows if tests[i].source == "written"]
        if by_people:
            out[model]["people"] = scored(by_people)
            for source in sorted({tests[i].source for i in by_people}):
                out[model]["people_by_source"][source] = scored([i for i in by_people if tests[i].source == source])
        otherwise = [i for i in by_people if tests[i].otherwise] if model == STANCE else []
        if otherwise:
            out[model]["people_but_for_two_banks"] = scored([i for i in by_people if not tests[i].otherwise])
            out[model]["people_by_source"] |= {
                "wcb_sentences but for two banks": scored([i for i in by_people if tests[i].source == "wcb_sentences" and not tests[i].otherwise]),
                "those two banks": scored(otherwise),
                "those two banks, *Hawkish* and *Dovish* exchanged": scored(otherwise, {"Hawkish": "Dovish", "Dovish": "Hawkish"}),
            }
        if by_reader:
            out[model]["labelled"] = scored(by_reader)
        for part, source in (("written_with_turn", WRITTEN_WITH_A_TURN), ("written_in_other_words", WRITTEN_IN_OTHER_WORDS)):
            of_part = [i for i in rows if tests[i].source == source]
            if of_part:
                out[model][part] = scored(of_part)
        by_hand_for_others = [i for i in rows if tests[i].source == WRITTEN_FOR_OTHERS]
        if by_hand_for_others:
            relevant = [tests[i].labels[model] == labels[0] for i in by_hand_for_others]
            out[model]["written_for_others"] = scored(by_hand_for_others) | {"relevant": sum(relevant), **{f"alarms_of_{who}": alarms(relevant, [said[i] == labels[0] for i in by_hand_for_others]) for who, said in (("model", predicted), ("baseline", theirs))}}
        votes = [vote(model, tests[i].text).label or USUAL[model] for i in by_hand]
        out[model]["written"] = {**scored(by_hand), "keywords": score([tests[i].labels[model] for i in by_hand], votes)}
        for part, turned in (("plain", False), ("turned", True)):
            of_part = [i for i in by_plain if is_turned(tests[i], package) == turned]
            if of_part:
                out[model][part] = scored(of_part)
        with_turn = [i for i in by_reader if "turned" in out[model] and WITH_A_TURN.search(tests[i].text)]
        if with_turn:
            out[model]["labelled_with_turn"] = scored(with_turn)
        if by_plain:
            out[model]["plain_by_kind"] = {kind: scored([i for i in by_plain if tests[i].kind == kind]) for kind in dict.fromkeys(tests[i].kind for i in by_plain)}
        out[model]["misread"] = surest_misread([{"text": tests[i].text, "label": tests[i].labels[model], "said": predicted[i], "score": round(float(confidence[i]), 4)} for i in rows if tests[i].source in WRITTEN.values()])
        agree = [i for i, w in enumerate(weak_test) if model in w.labels]
        out[model]["weak_agreement"] = score([weak_test[i].labels[model] for i in agree], [labels[weak_logits[model][i].argmax()] for i in agree])
    return out


def surest_misread(read: list[dict], most: int = 2) -> list[dict]:
    """Of sentences, each with its label, what was said of it and how surely, those that were misread most surely."""
    return sorted((each for each in read if each["label"] != each["said"]), key=lambda each: -each["score"])[:most]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--parts", type=Path, help="a folder that prepare.py wrote, as for the fit; without it, the sentences are prepared")
    parser.add_argument("--only-full", action="store_true", help="leaves what was measured of the variants as it is")
    args, settings = parser.parse_args(), Settings()
    path = results_of(args.models)
    results = json.loads(path.read_text())
    for package in args.package or PACKAGES:
        log = lambda message, package=package: print(f"[{package}] {message}", flush=True)  # noqa: E731
        parts = read_parts(args.parts, package) if args.parts else prepare(package, args.labels, args.corpora, settings, log)
        baselines = fit_baselines(package, parts.train, parts.weak_train, settings)
        of_plain = fit_baselines(package, parts.train, parts.weak_train, settings, with_plain=True)
        log("baselines fitted")
        run, encode = session(args.models / package / FULL), encoder(args.models / package)
        results[package]["models"] = measure(package, lambda texts, run=run, encode=encode: ask(run, encode(texts)), parts.tests, parts.weak_test, baselines, of_plain)
        log("measured")
        if not args.only_full:
            results[package]["variants"] = measure_variants(package, args.models / package, parts.tests, sample(parts.groups, settings.seed))
            log("variants measured")
    path.write_text(json.dumps(results, indent=1) + "\n")
    write_cards(args.models, results)


if __name__ == "__main__":
    main()
