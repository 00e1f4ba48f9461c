"""The model cards, models/README.md and its figure, written from results.json (measure.py and train.py write that, and these after it). Typed by hand are facts about labels, readers and earlier fits: CALLED, LICENCE, TEST_SETS, HOW_MEASURED, WEAK_POINTS, PUBLISHED."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from chart import chart
from data import read_jsonl
from labelled import STANCE
from labels import PACKAGES, RELEVANCY
from plain import PAIRS, THINGS
from settings import Settings
from statements import TESTED_OF_A_KIND
from turned import TURNED

HERE = Path(__file__).parent
TITLES = {"central-bank": "Central bank package", "earnings-call": "Earnings call package"}
SHORT = {"central-bank": "central banks", "earnings-call": "calls"}
SUBJECT = {"central-bank": "texts of central banks (minutes, statements, monetary policy reports)", "earnings-call": "transcripts of US earnings calls"}
USE = {"central-bank": "of a document, of a bank, of a year", "earnings-call": "of a call, of a company, of a quarter"}
# What the texts call a model by.
CALLED = {
    "cb_stance_label": "stance", "cb_certain_label": "certainty", "cb_enhanced_uncertain_label": "enhanced uncertainty", "cb_inflation_relevancy_label": "inflation", "cb_precious_metal_relevancy_label": "precious metals", "cb_economic_status_relevancy": "the state of the economy",
    "cb_dollar_value_relevancy": "the dollar", "cb_housing_relevancy": "housing", "cb_foreign_nations_relevancy": "foreign nations", "cb_money_supply_relevancy": "money supply", "cb_oil_relevancy": "oil", "cb_labor_market_relevancy": "the labour market",
    "cb_claim_projection_label": "claims", "cb_forward_looking_classification": "time",
    "ec_forward_looking": "time", "ec_claim_projection": "claims", "ec_financial_sentiment": "sentiment", "ec_growth": "growth", "ec_material_impact": "impact", "ec_competition_relevancy": "competition", "ec_price_relevancy": "prices", "ec_cyber_risk_relevancy": "cyber risk",
    "ec_regulatory_risk_relevancy": "regulation", "ec_cost_of_capital_relevancy": "cost of capital", "ec_geopolitical_risk_relevancy": "geopolitical risk", "ec_labor_market_relevancy": "the labour market",
}

AS_PEOPLE_HEADS = {"central-bank": "stance, of more than half of them certainty and time too; claims", "earnings-call": "time; claims"}
PLAIN_HEADS = {"central-bank": "stance and enhanced uncertainty", "earnings-call": "sentiment, growth and impact"}
TAUGHT_HEADS = {"central-bank": "stance, certainty, time and claims", "earnings-call": "time and claims"}

LICENCE = """The weights are trained on material under CC BY-NC-SA 4.0 (World Central Banks) and CC BY-NC 4.0 (numerical claim detection,
Trillion Dollar Words). They are therefore offered under **CC BY-NC-SA 4.0: non-commercial use, share alike, with attribution**.
The code and the sentences in `models/training/` are the project's own.

Sources:
- Shah, Sukhani, Pardawala et al. (2025), *World Central Banks*: documents of central banks, and re-annotated sentences (stance, time, certainty).
- Shah et al. (2024), *Numerical Claim Detection in Finance*: earnings call transcripts, and labelled claims.
- Shah, Paturi, Chava (2023), *Trillion Dollar Words: A New Financial Dataset, Task & Market Analysis*: sentences of the FOMC with their stance."""

VARIANTS = {"full": "`full`", "quantized": "`quantized`: int8 tables and products, for the CPU", "fp16": "`fp16`: fp16 weights and arithmetic, for a GPU"}

HOW_VARIED = """*Taken on*: where `--variant auto` takes the file. *Sentences per second*: of processor time of one core, 30 tokens, batches of 32. *Labels that differ* from those of `full`: of {n} sentences drawn at random from the corpus, mean of the models (worst model).
*Change of macro F1*: mean over models and the test parts *people* and *labelled* (worst, best): in a part of some hundred sentences one is up to a point. `fp16` was measured on a CPU, each value rounded as it is stored. How the files are made, and what is known of them on a GPU: [`training/README.md`](training/README.md#variants)."""

# What a row of the tables is measured on, and who said what is right.
TEST_SETS = {
    "people": ("sentences that researchers had people label; a fifth is held out by a hash of the text", "people"),
    "people_but_for_two_banks": ("the same without the Reserve Bank of India and Taiwan's bank, whose stance was labelled the other way round where it is about growth ([why](training/README.md#stance))", "people"),
    "labelled": ("sentences of documents. Rare labels were sought out, so these are no shares of the corpora", "a language model by [`LABELS.md`](LABELS.md), not people: most of three readings, which agree to a mean macro F1 of 0.98 ([how](training/labelled/README.md))"),
    "labelled_with_turn": ("those of them with a *not*, *but*, *although*, *while*, *if*, *fewer* or the like in them", "as above"),
    "written": ("hard on purpose: paraphrases without the usual word, the usual word in another sense, bad things that fall and good ones that fall, contrast, negation ([sentences](training/sentences/README.md))", "their writers: a language model, of 517 the author of the keyword rules; of 84 of the former, read again blind, none was labelled otherwise"),
    "written_with_turn": ('a turn is what makes the direction word, the good and bad words, the tense or the usual word not yet the answer: a negation, a hedge, a condition, a contrast ("The drop in employment that had been forecast failed to materialise, and payrolls expanded by 300,000 instead."); some only seem to have one', "their writers; all were read again blind, and what was unclear was left out"),
    "written_in_other_words": ('half tell of the topic by what happens, without its name and its usual words ("The drills have stood in the yard since March, and the county still has not said whether we may dig."), half are put alike and do not mean it, or have a usual word in another sense', "their writers; two blind readers each, and what either found unclear was left out"),
    "written_for_others": ("the three kinds of written sentences, asked of the relevancy models that they were not written for: does a model hear the topic, or the way in which such sentences are put? (Not of the state of the economy, nor the 621 of writing 23 that turn: nobody read them for that.)", "two blind readers; what they differ on or both find unclear is left out, up to 2.5%"),
    "plain": ('put together by a program from a thing, a direction word and a frame ("Charge-offs receded markedly."): half put together a thing and a direction word that are both learnt, but never with each other, half have things that are in nothing that is learnt; no frame is learnt', "the program's tables; of 312 read blind, learnt ones among them, none was labelled otherwise, 22 were odd or doubtful"),
    "turned": ('the same, in which the direction is denied, ruled out, bound to a condition, counted by more or fewer, feared ("Redundancies have still not mounted."), beside frames as like these as can be that turn nothing', "the program's tables; of 1,678 read blind in five rounds one was labelled otherwise, 257 were odd or doubtful (105 of the first 340, 27 of the last 300; [rounds](training/README.md#who-read-what-the-programs-put-together))"),
    "weak_agreement": ("sentences of the corpora on which a keyword rule votes, that no fit learnt: fidelity to rules that are wrong at times, and not accuracy", "keyword rules (`training/labelling_functions.py`)"),
}

HOW_MEASURED = """What is measured is `model.onnx`; what the other files change stands under [Variants](#variants).

{sets}

**Nothing learnt a tested sentence.** People's are in no training, no pretraining and no weakly labelled part. Sentences of documents share no eight words in a row with one whose label was learnt. Who wrote a test had seen nothing of what is learnt, and nothing that is learnt shares six in ten of its words with it. But 517 of the *written* ones are a random part of the first writing, the rest of which is learnt (45 pairs of these and what is learnt of any writing share six in ten of their words), and 13 pairs of that writing and the other *written* ones do too.

**What flatters.** Since written sentences are learnt, all test parts were in view when it was decided what ships, step by step in [`training/HISTORY.md`](training/HISTORY.md). Before, most choices were made on sentences kept for calibration, to which only temperatures and biases are fitted (mean macro F1 by the guide there 0.907 for central banks, 0.883 for calls). Three ways of using the guide's labels, and how much they count beside people's, were chosen with the test in view, and so were some earlier networks.
{unseen} of *written, in other words* and *written, with a turn* are the exception: what ships was settled before a network had read them. The 614 sentences of documents that are of foreign nations alone had been read by encoders of before, without their labels.
Written sentences and those put together have even labels and are hard, so their figures are no estimate for documents: they say how far a model goes beyond its keywords.

**The baseline** is TF-IDF of word 1-2 and character 3-5 grams with logistic regression, its labels balanced where no person labelled (`training/baseline.py`). It learns the same people's, written and labelled sentences, and where people labelled none up to {weak} weakly labelled ones beside them. Of stance it learns people's and written labels alone, so by the guide it is low there. But it lacks writing 22 (8,694 written sentences, the last ones), and that of the calls' sentiment 398 of writing 20.
It learns nothing that was put together, but for the rows *plain* and *turned*, in which it is one that learnt both kinds, and nothing of teachers. *Keywords* are the keyword rules alone, the usual label where they abstain. *Majority* is the accuracy of always giving the commonest label.

**The columns.** Macro F1 is over the labels that occur in the part. Intervals are of 1,000 bootstrap samples; where few sentences have the rarest label they say little: no error among 32 still leaves a miss rate of up to 9% possible. *Calibration error* is the expected distance of score and accuracy over ten bins, on sentences of documents (`training/results.json` has the others': scores are not calibrated for sentences made to be hard).
One temperature a model, and where people labelled one bias a label, fitted on sentences kept apart, are folded into the weights (`training/calibrate.py`)."""

# The writing (sentences/README.md) of the test that was looked at when all was settled. Once something is chosen with it in view, it is like the others.
UNSEEN_WRITING = 23

# Fine-tuned transformers' weighted F1, as their authors published it.
BY_CALLS = "of calls alone: BiLSTM 0.889, BERT 0.938, RoBERTa-base 0.956 (*Numerical Claim Detection in Finance*, 2024)"
PUBLISHED = (
    ("cb_stance_label", "fomc_stance", "stance, FOMC", "BERT 0.636, FinBERT 0.630, RoBERTa-base 0.698, RoBERTa-large 0.711 (*Trillion Dollar Words*, 2023)"),
    ("cb_claim_projection_label", "numerical_claims", "claims", BY_CALLS),
    ("ec_claim_projection", "numerical_claims", "claims", BY_CALLS),
)

WEAK_POINTS = {
    "central-bank": """- **Stance** is a task on which readers differ: on the re-annotated sentences of World Central Banks, chosen because they are hard, a language model that read by the label guide gave people's label in 46%; one that was shown the nearest sentences that people had labelled has a weighted F1 of 0.59 to 0.66 ([readings](../training/labelled/README.md)). The model learnt people's labels, 57,000 that this second reading gave, and, at a lower weight, labels by the guide.
- Runoff and sales of bonds are at times misread where what moves is not named by words that were learnt; so is what is ruled out, feared or put off, and who is counted by more and fewer. A decline that slows, and the exchange rate or a deficit alone, are read without a consistent direction. Over a document such errors weigh less: of the years of six banks, stance tells those of rate rises from those of cuts in all 108 pairs (the project's [README](../../README.md#figures), at its end).
- Stance compares two figures where a word says so ("inflation was 1.8%, compared with 1.6%" reads *Hawkish*); where each has a direction of its own ("an 8.5 percent decline, following a 1.3 percent increase") the comparison may mislead, and in frames that it has not learnt it is right in about three of four ([two figures](../README.md#plain-statements)).
- **Certainty and time** follow the annotators of World Central Banks, who were not always consistent: of 3,863 sentences that they had not learnt the transformers that taught this network have a weighted F1 of 0.792 and 0.844, linear models of words and letters 0.773 and 0.798 (`models/training/linear_teachers.py`).
- **Relevancy and enhanced uncertainty** were labelled by no person, claims by people in analysts' reports and calls alone, another kind of text: on texts of central banks these models follow a language model's labels.
- **Everyday phrases** are at times misread whatever they are said of, above all where a modal verb, a level or a comparison turns them: of 132 phrases that were tried 17 are read right of no thing that they were said of, among them *cannot lower rates*, *fell less than expected*, *is too high*, *is easy to predict* (`models/training/probes.py` lists them).
- Foreign nations and the dollar hang on who the parties are, which a shallow network often misses.""",
    "earnings-call": """- **Only claims** were labelled by people on this kind of text (398 of the 2,514 sentences are from calls, the rest from analysts' reports). Time also learnt from texts of central banks, and its *people* row is measured on those.
- **Sentiment, growth, impact and relevancy** follow a language model's labels. No relevancy was tested on other kinds of text, such as analysts' notes, and on documents most of them can hardly be told from the baseline (the intervals in the table). Where few sentences are relevant, the calibration error mostly describes the irrelevant ones.
- Irony, contrast and news that is only good against expectations are at times missed, as are bad things that fall, what fails to happen or would have happened but for something, forecasts of the past, and plans without a number.
- **Two figures** are compared where a word says so and both are of one kind (dollars, percent, basis points, plain numbers): of 193 sentences of calls that compare two and have no word for the direction growth is right in 190 (`models/training/compared.py`); in frames that it has not learnt in seven of ten, sentiment in two of three ([two figures](../README.md#plain-statements)). Not where no word compares them ("A year ago it was 5%, now it is 4%."), where a letter or another currency's sign is part of a figure (`$5M`, `RMB2.1`, `£20`), where only one of two has its unit ("from 1.2 to 1.5%"), where a loss is given as a positive figure.
- **Everyday phrases** are at times misread whatever they are said of: of 156 phrases that were tried 9 are read right of no thing that they were said of, among them *could not be better*, *out of the woods*, *fell less than expected*, *last year we expected* (`models/training/probes.py` lists them).
- Growth of something that should shrink (costs, churn, debt) is growth only when it is a quantity of the business.
- The keyword rules that chose much of the corpus's sentences were written with the vocabulary of 2017 to 2023 in mind; new topics need new rules.""",
}


def write_cards(out: Path, results: dict) -> None:
    for package in PACKAGES:
        if package in results:
            (out / package / "README.md").write_text(card(package, results[package]))
    if all(p in results for p in PACKAGES):
        (out / "README.md").write_text(overview(results))
        (out / "results.svg").write_text(chart(results, TITLES))


def overview(results: dict) -> str:
    lines = ["# Models", "",
             "Two packages, each one ONNX graph that answers all of its models in one pass. Both are small networks trained from scratch, with transformers as teachers, so that the pipeline works at once and is fast on a processor.",
             "On hard tasks, stance above all, a large transformer that was pretrained on far more should do better; it can be [imported in their place](../README.md#your-own-models).", "",
             "| package | models | size of `model.onnx`, of its int8 file | sentences per second and core, `full` and int8 | card |", "|---|---|---|---|---|"]
    for package in PACKAGES:
        full, quantized = (results[package]["variants"]["files"][v] for v in ("full", "quantized"))
        lines.append(f"| `{package}` | {len(PACKAGES[package])} for {SUBJECT[package]} | {full['megabytes']} MB, {quantized['megabytes']} MB | {full['sentences_per_second_per_core']:,}, {quantized['sentences_per_second_per_core']:,} | [labels, limits, procedure]({package}/README.md) |")
    lines += ["", "## At a glance", "", at_a_glance_text(""), "", "![Macro F1 of each model beside the baseline: on documents, on written sentences and on those in other words](results.svg)", ""]
    for package in PACKAGES:
        lines += [f"{TITLES[package]}:", "", at_a_glance(results[package]["models"]), ""]
    lines += ["What each is short of, and sentences that it misreads, is in the cards: " + ", ".join(f"[{TITLES[p].lower()}]({p}/README.md#limits)" for p in PACKAGES) + ".", "",
              "## Beside published figures", "", *published(results), "",
              "## Variants", "", *variants(results), "",
              "## How it was measured", "", how_measured(results), "",
              "## Figures", ""]
    for package in PACKAGES:
        lines += [f"{TITLES[package]}:", "", figures(results[package]["models"]), ""]
    lines += ["## People's labels by source", "", *by_source(results), "", "## Plain statements", "", *plain_by_kind(results), "",
              "## Licence", "", "The weights: CC BY-NC-SA 4.0, non-commercial. Each card names the sources.", ""]
    return "\n".join(lines)


def at_a_glance_text(folder: str) -> str:
    """`folder`: where models/ lies, seen from the file that this goes into."""
    return f"""Each cell is package / baseline, on sentences that nothing learnt. **By the guide**: sentences of documents, labelled by a language model that followed [`LABELS.md`]({folder}LABELS.md), so a score is agreement with that reader. **People's labels**: sentences that researchers had people label (of stance two banks the other way round: [without them]({folder}README.md#figures)).
**Written** and **in other words**: made for this project, hard on purpose. The baseline is TF-IDF and logistic regression, fitted to the same people's, written and guide labels (of stance to none by the guide). F1 is macro where nothing else is said. [How it was measured]({folder}README.md#how-it-was-measured), [all figures]({folder}README.md#figures)."""


def at_a_glance(models: dict[str, dict]) -> str:
    """One row a model: the parts that most readers look for."""
    lines = ["| model | by the guide: n (rarest label) | by the guide: macro F1 (95%) / baseline | by the guide: weighted F1 (95%) / baseline | people's labels: weighted F1 (95%) / baseline | written: macro F1 / baseline | in other words: macro F1 / baseline |", "|---|---|---|---|---|---|---|"]
    for model, r in models.items():
        own, other = r["labelled"]["model"], r["labelled"]["baseline"]
        people = f"{interval(r['people']['model'], 'weighted_f1')} / {r['people']['baseline']['weighted_f1']:.3f}" if r["people"] else "–"
        written = [f"{r[part]['model']['macro_f1']:.3f} / {r[part]['baseline']['macro_f1']:.3f}" if r.get(part) else "–" for part in ("written", "written_in_other_words")]
        lines.append(f"| `{model}` | {own['n']:,} ({r['labelled']['fewest']:,}) | {interval(own, 'macro_f1')} / {other['macro_f1']:.3f} | {interval(own, 'weighted_f1')} / {other['weighted_f1']:.3f} | {people} | {' | '.join(written)} |")
    return "\n".join(lines)


def published(results: dict) -> list[str]:
    """What is known of large fine-tuned models on sentences of the same sets."""
    scores = {m: r for package in PACKAGES for m, r in results[package]["models"].items()}
    lines = ["Weighted F1 on people's labels. Published figures are of fine-tuned models on their authors' own test splits. For stance the sentences come from the same set; for claims theirs are of calls alone, ours mostly of analysts' reports. Read them as orientation. Of the re-annotated sentences of World Central Banks no figures are known.", "",
             "| task | sentences here | this package (95%) | baseline | published |", "|---|---|---|---|---|"]
    for model, source, task, theirs in PUBLISHED:
        s = scores[model]["people_by_source"][source]
        lines.append(f"| {task}: `{model}` | {s['model']['n']} | {interval(s['model'], 'weighted_f1')} | {s['baseline']['weighted_f1']:.3f} | {theirs} |")
    return lines


def misread(models: dict[str, dict]) -> str:
    """Of each model the tested sentences that it was surest of and wrong, by code: they are of this project's writing, so their text may stand here."""
    lines = ["| model | sentence | label | read as (score) |", "|---|---|---|---|"]
    for model, r in models.items():
        for each in r["misread"]:
            text = re.sub(r"([|$*_<\\`])", r"\\\1", each["text"])
            lines.append(f"| `{model}` | {text} | {each['label']} | {each['said']} ({each['score']:.2f}) |")
    return "\n".join(lines)


def variants(results: dict) -> list[str]:
    lines = ["| package | variant | taken on | size | sentences per second | labels that differ | change of macro F1 (worst, best head) |", "|---|---|---|---|---|---|---|"]
    for package in PACKAGES:
        lines += variant_rows(f"`{package}`", results[package]["variants"])
    n = min(results[package]["variants"]["corpus_sentences"] for package in PACKAGES)
    return [*lines, "", HOW_VARIED.replace("{n}", f"{n:,}")]


def variant_rows(title: str, measured: dict) -> list[str]:
    files, lines = measured["files"], []
    for variant, name in VARIANTS.items():
        f = files[variant]
        taken = ", ".join({"cpu": "CPU", "gpu": "GPU"}[p] for p, file in measured["taken"].items() if file == f["file"])
        speed = f"{f['sentences_per_second_per_core']:,}" if f["sentences_per_second_per_core"] else "not measured"
        if variant == "full":
            rest = "| |"
        else:
            changes = changes_of_f1(files["full"], f)
            rest = f"{f['labels_that_differ']:.3%} ({f['labels_that_differ_at_most']:.3%}) | {f['mean_change']:+.4f} ({min(changes):+.4f}, {max(changes):+.4f}) |"
        lines.append(f"| {title} | {name} | {taken} | {f['megabytes']} MB | {speed} | {rest}")
    return lines


def changes_of_f1(full: dict, other: dict) -> list[float]:
    return [other["f1"][model][part]["macro_f1"] - scores["macro_f1"] for model, parts in full["f1"].items() for part, scores in parts.items()]


def variant_f1(measured: dict) -> list[str]:
    """Macro F1 of each head by each variant."""
    files = measured["files"]
    lines = ["| model | test | " + " | ".join(f"`{variant}`" for variant in VARIANTS) + " |", "|---|---|" + "---|" * len(VARIANTS)]
    for model, parts in files["full"]["f1"].items():
        for part in parts:
            lines.append(f"| `{model}` | {part} | " + " | ".join(f"{files[v]['f1'][model][part]['macro_f1']:.3f}" for v in VARIANTS) + " |")
    return lines


def card_variants(result: dict) -> str:
    measured = result["variants"]
    header = ["| variant | taken on | size | sentences per second | labels that differ | change of macro F1 (worst, best head) |", "|---|---|---|---|---|---|"]
    rows = [line.removeprefix("|  ") for line in variant_rows("", measured)]
    return "\n".join(["## Variants", "", *header, *rows, "", "What the columns are stands in [`models/README.md`](../README.md#variants). Macro F1 of each model by each variant:", "", *variant_f1(measured), "", ""])


def how_measured(results: dict) -> str:
    """The sizes are counted here, so that no longer test makes them wrong."""
    sizes = {kind: "; ".join(f"{SHORT[package]}: {size_of(results[package]['models'], kind)}" for package in PACKAGES if any(r.get(kind) for r in results[package]["models"].values())) for kind in TEST_SETS}
    names = dict((*TEST_PARTS, FOR_OTHERS, ("weak_agreement", "agreement")))
    sets = "\n".join(["| row | sentences of a model | what they are | who says what is right |", "|---|---|---|---|", *(f"| **{names[kind]}** | {sizes[kind]} | {what} | {who} |" for kind, (what, who) in TEST_SETS.items())])
    weak = results[next(iter(PACKAGES))]["training"]["settings"]["baseline_weak"]
    return HOW_MEASURED.format(sets=sets, weak=f"{weak:,}", unseen=f"{written_unseen():,}")


def written_unseen() -> int:
    """The tested sentences of the writing that no choice was made with."""
    return sum(row["writing"] == UNSEEN_WRITING and row["part"] != "train" for models in PACKAGES.values() for model in models for row in read_jsonl(HERE / "sentences" / f"{model}.jsonl"))


def size_of(models: dict[str, dict], kind: str) -> str:
    sizes = [(r[kind]["model"] if "model" in r[kind] else r[kind])["n"] for r in models.values() if r.get(kind)]
    return f"{min(sizes):,}" + (f" to {max(sizes):,}" if max(sizes) != min(sizes) else "")


TEST_HEADER = """| model | test | n | accuracy | macro F1 (95%) | weighted F1 (95%) | baseline macro F1 | baseline weighted F1 | majority | calibration error |
|---|---|---|---|---|---|---|---|---|---|"""
# Parts of the test sentences, with how a row names them; the second is of stance alone, the fourth of the models that turned statements are of, the sixth of these and of nine more, the seventh of relevancy.
TEST_PARTS = (("people", "people"), ("people_but_for_two_banks", "people but for two banks"), ("labelled", "labelled"), ("labelled_with_turn", "labelled, with a turn"), ("written", "written"), ("written_with_turn", "written, with a turn"), ("written_in_other_words", "written, in other words"), ("plain", "plain"), ("turned", "turned"))
# Those that stand for themselves: the others are parts of them.
MEAN_PARTS = tuple((kind, name) for kind, name in TEST_PARTS if kind not in ("people_but_for_two_banks", "labelled_with_turn"))
# What was aimed at, of what stays unseen: macro F1 by the guide and on written sentences (their parts), and weighted F1 by the source of people's labels.
AIM_OF_RELEVANCY, AIM_OF_THREE = 0.9, 0.8
AIMED_AT = ("labelled", "written", "written_in_other_words")
AIMS_OF_PEOPLE = {"cb_stance_label": {"fomc_stance": 0.69, "wcb_sentences": 0.54}, "cb_certain_label": {"wcb_sentences": 0.8}, "cb_forward_looking_classification": {"wcb_sentences": 0.83}, "cb_claim_projection_label": {"numerical_claims": 0.95}, "ec_forward_looking": {"wcb_sentences": 0.83}, "ec_claim_projection": {"numerical_claims": 0.95}}
AIM_WITHOUT_GPU = {"fomc_stance": 0.65}
SOURCES = {"fomc_stance": "FOMC", "wcb_sentences": "World Central Banks", "numerical_claims": "analysts' reports and calls"}
# Of this part there is a table of its own.
FOR_OTHERS = ("written_for_others", "written for others")
# Sentences made to be hard or plain, in even shares of the labels, say nothing about how sure a model may be of a document's.
NOT_CALIBRATED_ON = ("written", "written_with_turn", "written_in_other_words", "plain", "turned")
MOST_CALIBRATION_ERROR = 0.05
OTHER_HEADER = """| model | written: macro F1, baseline, keywords | agreement: n, macro F1 |
|---|---|---|"""


def interval(scores: dict, name: str) -> str:
    low, high = scores[f"{name}_95"]
    return f"{scores[name]:.3f} ({low:.3f}–{high:.3f})"


def test_rows(model: str, r: dict) -> list[str]:
    """One row a test part: people's labels, of stance also without two banks of which it was labelled otherwise, a language model's, and sentences made for the purpose."""
    lines = []
    for kind, name in TEST_PARTS:
        if r.get(kind):
            m, b = r[kind]["model"], r[kind]["baseline"]
            lines.append(f"| `{model}` | {name} | {m['n']} | {m['accuracy']:.3f} | {interval(m, 'macro_f1')} | {interval(m, 'weighted_f1')} | {b['macro_f1']:.3f} | {b['weighted_f1']:.3f} | "
                         f"{r[kind]['majority_accuracy']:.3f} | {'' if kind in NOT_CALIBRATED_ON else format(m['calibration_error'], '.3f')} |")
    return lines


def other_row(model: str, r: dict) -> str:
    w, a = r["written"], r["weak_agreement"]
    return f"| `{model}` | {', '.join(format(w[who]['macro_f1'], '.3f') for who in ('model', 'baseline', 'keywords'))} | {a['n']}, {a['macro_f1']:.3f} |"


def figures(models: dict[str, dict]) -> str:
    tests = "\n".join(line for m, r in models.items() for line in test_rows(m, r))
    others = "\n".join(other_row(m, r) for m, r in models.items())
    return f"{TEST_HEADER}\n{tests}\n{means(models)}\n\n{for_others(models)}\n\nBeside the labelling functions, on sentences made for the purpose and on those of the corpus:\n\n{OTHER_HEADER}\n{others}"


def for_others(models: dict[str, dict]) -> str:
    """Of the sentences that were written for other models: of most heads hardly one in thirty is relevant, and an F1 of so few says less than their number."""
    lines = ["Of tested sentences that were written for other models, how many are called relevant (of these wrongly), and how many relevant ones are missed:", "",
             "| model | n | relevant | called relevant (wrongly) | missed | macro F1 (95%) | baseline: called relevant (wrongly) | baseline: missed | baseline: macro F1 |", "|---|---|---|---|---|---|---|---|---|"]
    for model, r in models.items():
        if part := r.get("written_for_others"):
            own, other = part["alarms_of_model"], part["alarms_of_baseline"]
            lines.append(f"| `{model}` | {part['model']['n']} | {part['relevant']} | {own['called']} ({own['wrongly']}) | {own['missed']} | {interval(part['model'], 'macro_f1')} | {other['called']} ({other['wrongly']}) | {other['missed']} | {part['baseline']['macro_f1']:.3f} |")
    return "\n".join(lines)


def means(models: dict[str, dict]) -> str:
    lines = []
    for kind, name in MEAN_PARTS:
        parts = [r[kind] for r in models.values() if r.get(kind)]
        if parts:
            mean = lambda who, what: sum(p[who][what] for p in parts) / len(parts)  # noqa: E731
            lines.append(f"| mean of {len(parts)} | {name} | | {mean('model', 'accuracy'):.3f} | {mean('model', 'macro_f1'):.3f} | {mean('model', 'weighted_f1'):.3f} | "
                         f"{mean('baseline', 'macro_f1'):.3f} | {mean('baseline', 'weighted_f1'):.3f} | {sum(p['majority_accuracy'] for p in parts) / len(parts):.3f} | {'' if kind in NOT_CALIBRATED_ON else format(mean('model', 'calibration_error'), '.3f')} |")
    return "\n".join(lines)


def towers(shape: dict) -> str:
    return "" if shape["towers"] == 1 else f"{shape['towers']} towers, each learnt for itself and their logits averaged, each of "


def attention(shape: dict) -> str:
    return f"before the last of them self-attention of {shape['attention']} dimensions in {shape['views']} views, " if shape["attention"] else ""


def as_people(package: str, training: dict) -> str:
    n = training["as_people_train"]
    return f"\n- {n:,} more that it labelled not by the guide but as the people above would have, shown the nearest sentences of their training part ({AS_PEOPLE_HEADS[package]})." if n else ""


def below_baseline(models: dict) -> str:
    """Named by code, so that no retraining can make it wrong."""
    behind = lambda part: any(round(part["model"][f1], 3) < round(part["baseline"][f1], 3) for f1 in ("macro_f1", "weighted_f1"))  # noqa: E731
    worse = [f"{CALLED[m]} ({name})" for m, r in models.items() for kind, name in (*MEAN_PARTS, FOR_OTHERS) if r.get(kind) and behind(r[kind])]
    return f"- Below the baseline in macro or weighted F1: {', '.join(worse) or 'none'}."


def with_a_turn(models: dict) -> str:
    shares = [f"{CALLED[m]} {1 - r['written_with_turn']['model']['accuracy']:.0%}" for m, r in models.items() if r.get("written_with_turn")]
    return f"- Misread of written sentences with a turn (a negation, a hedge, a condition or a contrast that changes the answer, or seems to): {', '.join(shares)}."


def in_other_words(models: dict) -> str:
    parts = {m: r["written_in_other_words"] for m, r in models.items() if r.get("written_in_other_words")}
    own, other = (sum(p[who]["macro_f1"] for p in parts.values()) / len(parts) for who in ("model", "baseline"))
    shares = [f"{CALLED[m]} {1 - p['model']['accuracy']:.0%}" for m, p in parts.items()]
    return f"- Where a sentence tells of a topic only by what happens, or seems to, the mean macro F1 is {own:.3f}, the baseline's {other:.3f}; misread: {', '.join(shares)}."


def of_two_banks(models: dict) -> str:
    r = models.get(STANCE)
    if not r:
        return ""
    with_them, without = (r[kind]["model"]["weighted_f1"] for kind in ("people", "people_but_for_two_banks"))
    return f"- Two banks (Reserve Bank of India, Taiwan) were labelled the other way round on growth, and nothing learnt their stance. Weighted F1 of stance on people's labels is {with_them:.3f} with them and {without:.3f} without; [on these two alone](../README.md#peoples-labels-by-source) it stands there as they were labelled, and with *Hawkish* and *Dovish* exchanged.\n"


def short_of_aims(package: str, models: dict) -> str:
    """By code too."""
    short = [f"{CALLED[m]} ({SOURCES.get(name, name)} {found:.3f}, {aim:.2f})" for m, name, found, aim in aimed_at(package, models) if found < aim]
    return f"- Short of what was aimed at ({aims(package)}): {', '.join(short) or 'none'}."


def aims(package: str) -> str:
    of_people = [f"{aim:.2f}{f' ({AIM_WITHOUT_GPU[source]:.2f} without a GPU)' if source in AIM_WITHOUT_GPU else ''} for {CALLED[m]} ({SOURCES[source]})" for m in PACKAGES[package] for source, aim in AIMS_OF_PEOPLE.get(m, {}).items()]
    return f"macro F1 of {AIM_OF_RELEVANCY:.2f} for relevancy and {AIM_OF_THREE:.2f} for the models of three labels, by the guide, on written sentences and on those in other words; of people's labels weighted F1, {', '.join(of_people)}"


def aimed_at(package: str, models: dict) -> Iterator[tuple[str, str, float, float]]:
    """Of each model and test part with an aim what was found, and the aim."""
    for m, r in models.items():
        for source, aim in AIMS_OF_PEOPLE.get(m, {}).items():
            yield m, source, r["people_by_source"][source]["model"]["weighted_f1"], aim
        aim = AIM_OF_RELEVANCY if PACKAGES[package][m] == RELEVANCY else AIM_OF_THREE if len(PACKAGES[package][m]) == 3 else None
        if aim:
            for part in (part for part in AIMED_AT if part in r):
                yield m, dict(TEST_PARTS)[part], r[part]["model"]["macro_f1"], aim


def ill_calibrated(models: dict) -> str:
    worse = [f"{CALLED[m]} ({name}, {r[kind]['model']['calibration_error']:.3f})" for m, r in models.items() for kind, name in TEST_PARTS if kind not in NOT_CALIBRATED_ON and r.get(kind) and r[kind]["model"]["calibration_error"] > MOST_CALIBRATION_ERROR]
    return f"- Calibration error over {MOST_CALIBRATION_ERROR}: {', '.join(worse) or 'none'}. One temperature serves people's labels and the guide's; set more by one kind, scores are too high for it or too low for the other (`models/training/calibrate.py` has the shares)."


def by_source(results: dict) -> list[str]:
    lines = ["| model | source | n | accuracy | macro F1 | weighted F1 (95%) | baseline weighted F1 | calibration error |", "|---|---|---|---|---|---|---|---|"]
    for package in PACKAGES:
        for model, r in results[package]["models"].items():
            for source, s in r["people_by_source"].items():
                m = s["model"]
                lines.append(f"| `{model}` | {source} | {m['n']} | {m['accuracy']:.3f} | {m['macro_f1']:.3f} | {interval(m, 'weighted_f1')} | {s['baseline']['weighted_f1']:.3f} | {m['calibration_error']:.3f} |")
    return lines


def plain_by_kind(results: dict) -> list[str]:
    lines = ["Share of the test part that is rightly labelled (`training/statements.py`), 100 statements each where no number in brackets says otherwise; the baseline is one that learnt the same plain and turned ones. Below the plain kinds of a package stand the turned ones.", "",
             f"| kind | model | {PAIRS} | baseline | {THINGS} | baseline |", "|---|---|---|---|---|---|"]
    for package in PACKAGES:
        of_model = {m: r.get("plain_by_kind", {}) for m, r in results[package]["models"].items()}
        rows = [(kind, m) for m, of_kind in of_model.items() for kind in dict.fromkeys(name.rpartition(", ")[0] for name in of_kind)]
        for kind, model in sorted(rows, key=lambda row: row[0] in TURNED[package]):
            cells = [right(of_model[model][f"{kind}, {half}"][who]) for half in (PAIRS, THINGS) for who in ("model", "baseline")]
            lines.append(f"| {kind} | `{model}` | {' | '.join(cells)} |")
    return lines


def right(scores: dict) -> str:
    return f"{scores['accuracy']:.0%}" + (f" ({scores['n']})" if scores["n"] != TESTED_OF_A_KIND else "")


def procedure(package: str, t: dict) -> str:
    settings = t["settings"]
    halves = (f"Of {TAUGHT_HEADS[package]} a sentence of people's is learnt as {1 - settings['teacher_share']:.0%} its label and {settings['teacher_share']:.0%} what a teacher says that has not seen it; what a language model said by the guide counts {settings['weight_labelled_beside_people']:.0%} as much, a written sentence {settings['weight_written_beside_people']:.0f} times as much (in the last fit that learnt them).")
    if t["fitted_elsewhere"]:
        return f"""`models/training/on_gpu.sh`, `main_fit.py` and `train.py`, seed {Settings().seed} (the last fit {settings['seed']}):

1. A WordPiece vocabulary, and {settings['pretrain_steps']:,} steps of masked-token pretraining of the convolutions on the corpus (half an hour of a core).
2. On an H100, a transformer of 8 layers and 512 dimensions, pretrained for 450 s on masked words of the corpora of both packages, and three teachers of all models: that transformer fitted to all labels but one fold of people's.
3. There too, eight epochs of the convolutions, all models together: a labelled sentence is learnt as its label, a sentence of the corpus as what the teachers say.
4. Shorter fits, each from the network before, that add written, plain and turned sentences, further teachers, and labels that were read anew; the weights before and after are averaged, and models that have nothing new to learn hold on to what they said. Step by step, with commands, figures and what was not taken: [`HISTORY.md`](../training/HISTORY.md).
5. Calibration on sentences kept apart.

{halves}"""
    return f"""`models/training/train.py`, seed {settings['seed']}, {t['seconds'] / 60:.0f} minutes of wall clock on two cores that other work shared: a WordPiece vocabulary, {settings['pretrain_steps']:,} steps of masked-token pretraining on the corpus;
then {settings['teacher_folds']} teachers of {TAUGHT_HEADS[package]}, each fitted without one fold of people's sentences and each the mean of a network ({settings['teacher_epochs']} epochs) and of a logistic regression on the baseline's features
and pairs of stemmed words up to seven apart; then {settings['epochs']} epochs of all models together. {halves}"""


def corpus_labels(package: str, t: dict) -> str:
    if t["fitted_elsewhere"]:
        return "what the teachers said, in later fits what the network before said" + ("; claims also 60,000 sentences of calls, as what the calls' package says of them." if package == "central-bank" else ".")
    return f"""for {TAUGHT_HEADS[package]} the mean of {t['settings']['teacher_folds']} teachers
  fitted on people's, written and language-model-labelled sentences alone, for the other models the mean of these teachers' networks and of a label model (`models/training/label_model.py`): a logistic regression on the words and on
  what the labelling functions (`models/training/labelling_functions.py`) vote, where they do not abstain, learnt from the same sentences."""


def numbers(shape: dict) -> str:
    return "numbers of four digits and more, and digits of words, are read as one (numbers of up to three digits are tokens)" if shape.get("number") else "all numbers are read as one"


def compared(shape: dict) -> str:
    """How figures are told apart, where they are."""
    if not shape.get("number"):
        return ""
    return """
All numbers share one embedding and one weight a table. To that of a figure that a word compares with one before it (*compared to*, *versus*, *after*, *from … to*), of its kind and less than ten times
larger or smaller, is added what the two say by their decimals, signs, `$`, `%` and *million*: that something rose, fell or is the same (`models/training/figures.py`)."""


def read_rules() -> dict[str, str]:
    """What the label guide says of each model."""
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ([^|]+) \|$", (HERE.parent / "LABELS.md").read_text(), re.MULTILINE)
    return dict(rows)


def card(package: str, result: dict) -> str:
    t, c, shape = result["training"], result["check"], result["training"]["shape"]
    settings = t["settings"]
    rules = read_rules()
    labels = "\n".join(f"| `{m}` | {CALLED[m]} | {', '.join(names)} | {rules[m]} |" for m, names in PACKAGES[package].items())
    people = ", ".join(f"{n:,} of {source}" for source, n in t["people_train"].items())
    shares = "\n".join(f"| `{m}` | " + ", ".join(f"{label} {share:.2%}" for label, share in s.items()) + " |" for m, s in result["shares"]["models"].items())
    return f"""# {TITLES[package]}

One ONNX graph with {len(PACKAGES[package])} outputs, one per model: single-sentence classifiers for {SUBJECT[package]}. English only.

| | |
|---|---|
| files | `model.onnx` {c['megabytes']} MB, `model_quantized.onnx` (int8) {result['variants']['files']['quantized']['megabytes']} MB, `model_fp16.onnx` {result['variants']['files']['fp16']['megabytes']} MB |
| speed | {result['variants']['files']['quantized']['sentences_per_second_per_core']:,} sentences per second of processor time of one core (int8, which a processor takes; 30 tokens, batches of 32) |
| inputs | `input_ids`, `attention_mask`: int64, batch x sequence, padded on the right with 0; at most {settings['max_length']} tokens are read |
| outputs | one a model: float32, batch x labels, raw logits; softmax gives scores, calibrated on documents (see *Limits*) |
| tokenizer | `tokenizer.json`: lower-cases, adds [CLS] and [SEP]; {numbers(shape)} |
| licence | CC BY-NC-SA 4.0: non-commercial use (below) |

## Intended use

Shares and averages over many sentences: {USE[package]}. Single labels are often wrong on the harder models.
Not meant for decisions about people, nor for trading on single sentences, nor for other languages or other kinds of text.

## Labels

| model | called | labels | rule ([`LABELS.md`](../LABELS.md)) |
|---|---|---|---|
{labels}

## Results

{at_a_glance_text("../")}

{at_a_glance(result["models"])}

Shares of labels on {result['shares']['n']:,} sentences drawn at random from the corpus (headings and fragments included), to see whether they are plausible:

| model | shares |
|---|---|
{shares}

## Limits

{WEAK_POINTS[package]}

Measured, and worked out anew with each training (rows as in [all figures](../README.md#figures); *labelled* is by the guide):

{of_two_banks(result["models"])}{short_of_aims(package, result["models"])}
{below_baseline(result["models"])}
{in_other_words(result["models"])}
{with_a_turn(result["models"])}
{ill_calibrated(result["models"])}

### Sentences that are misread

Of the tested sentences of this project's writing, hard on purpose, the two of each model that it was surest of and wrong (all that it misreads, where they are fewer):

{misread({m: result["models"][m] for m in PACKAGES[package]})}

{card_variants(result)}## Architecture

Wide and deep in one graph. Wide: a linear model over token ids and hashed pairs, gapped pairs and triples of token ids ({sum(v for k, v in shape.items() if k in ('pairs', 'gaps', 'triples')):,} buckets).
Deep: {shape['vocab']:,} token embeddings of {shape['dim']} dimensions, on them {towers(shape)}{shape['blocks']} convolution blocks of width 3 (dilations {', '.join(map(str, shape['dilations']))}), {attention(shape)}masked maximum, mean and one attention
pooling per model.{compared(shape)} Weights are stored as fp16 and computed as fp32.
Against the training network the logits differ by at most {c['torch_difference']:.1e}; between batched and single rows by {c['batch_difference']:.1e}; with more padding by {c['padding_difference']:.1e}.

## Training data

- People's labels: {people} (the training part, four fifths).
- {t['written_train']:,} sentences written for this project (`models/training/sentences/`), the training part, with paraphrases without the usual word, the usual word in another sense, and bad things that fall; of {t['beside_train']:,} of
  them also what a reader says by the guide of other models.
- {t['plain_train']:,} plain and turned statements put together for {PLAIN_HEADS[package]} (`models/training/plain.py`, `turned.py`, `compared.py`).
- {t['labelled_train']:,} sentences of the corpora labelled by a language model (`models/training/labelled/`), the training part.{as_people(package, t)}
- {t['weak_train']:,} sentences drawn from {t['corpus_sentences']:,} of the corpus, each with probabilities of its labels: {corpus_labels(package, t)}

## Procedure

{procedure(package, t)}

## Licence and sources

{LICENCE}
"""


if __name__ == "__main__":
    write_cards(HERE.parent, json.loads((HERE / "results.json").read_text()))
