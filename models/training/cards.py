"""The model cards and models/README.md, written from results.json. Typed by hand are only facts about the labels, and comparisons with networks that are not shipped (`against.py` prints them)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from labels import PACKAGES, RELEVANCY
from plain import PAIRS, THINGS
from settings import Settings
from statements import TESTED_OF_A_KIND
from turned import TURNED

TITLES = {"central-bank": "Central bank package", "earnings-call": "Earnings call package"}
SUBJECT = {"central-bank": "texts of central banks (minutes, statements, monetary policy reports)", "earnings-call": "transcripts of US earnings calls"}

AS_PEOPLE_HEADS = {"central-bank": "stance, of more than half of them certainty and time too; claims", "earnings-call": "time; claims"}
PLAIN_HEADS = {"central-bank": "stance and enhanced uncertainty", "earnings-call": "sentiment, growth and impact"}
TAUGHT_HEADS = {"central-bank": "stance, certainty, time and claims", "earnings-call": "time and claims"}

# What followed the fit on the GPU.
WITH_THE_WRITTEN = "three epochs on a core with the written sentences, in which the corpus is taken for what the network itself said of it before"
WITH_THE_BASELINES = "{epochs} with all rounds of them, in which it is taken for the mean of what that network, the one before the written rounds and, of the heads that no person labelled, the baselines say (the mean of the weights before and after)"
WITH_THE_PLAIN = "{epochs} with plain statements, in which the corpus is taken for what it was taken for in those before"
WITH_THE_TURNED = "four with turned statements too, for which each tower was given its attention"
WITH_THE_TURNS_OF_OTHERS = "{epochs} with more of them and the written sentences that have a turn, in which the corpus is taken for the mean of what three networks of before and, of the heads that no person labelled, the baselines say"
WITH_MORE_TURNS = "three with 8,270 further sentences with a turn, as documents have them, with further frames, and with more of those who are counted (a fifth of the weights before, four fifths of those after)"
BY_OTHER_TEACHERS = "{epochs} on an H200 with 6,711 further sentences with a turn, frames and things, in which the corpus is taken for what {teachers} more transformers say, which learnt all of this too"
AND_BY_ITSELF = "three more on a core, in which it is taken for half of that and half of what the network itself says ({share})"
BESIDE_LINEAR = "three with 5,588 further written sentences, in which the corpus is taken for the mean of what those transformers, the network itself and, of what people labelled, linear models say ({share})"
WITHOUT_LINEAR = "{epochs} in which it is taken for what those transformers say alone{share}"
HEARD = "two with 5,019 further written sentences, four times as heavy as before in the heads that people labelled, and one with 1,965 more, twice as heavy (of the weights before the linear models {before}, of those after the two and after the one {after})"
COMPARING = "six on a core in which it learnt what two figures say that are compared, from the sentences that compare any, and nothing else: all others are read as before"
IN_THE_LAST_FIT = {"central-bank": " In those of steps 13 to 15 and 19 none is, and they are learnt as what the network before said; those of 16 and 17 are of written and labelled sentences alone, and that of 18 learns its own corpus as what the network before said and the calls' as what their network says, no keyword masked, and people's claims as their label alone.", "earnings-call": " In those of steps 15, 17 and 18 none is, and they are learnt as what the network before said; that of 16 is of written, labelled and put together sentences alone."}
READ_ANEW = "{epochs} on two cores in which {models} learnt their labels anew, after these had been read anew, and all others held on to what the network said ({share})"
THREE_TENTHS = "three tenths of the weights before, seven of those after"
HELD_BACK = "three on two cores in which precious metals and foreign nations learnt 2,625 further written sentences and labels that had been read anew, enhanced uncertainty and the state of the economy the labels that they had, and all others held on to what the network said, then two on a core in which the heads of those others, and nothing else, learnt what the network before had said ({share})"
HEADS_ALONE = "three on a core in which the heads alone of {models} learnt {n} further written sentences and labels of cyber risk that had been read anew: the other models of `model.onnx` answer as before ({share})"
OTHERS_IRRELEVANT = f"three on a core in which the heads alone of precious metals, the dollar, housing, money supply and oil learnt also that what was written for other models and has no word of theirs is irrelevant: the other models of `model.onnx` answer as before ({THREE_TENTHS})"
OF_OTHERS_ANEW = "two on two cores in which the seven relevancies learnt what readers had said of 14,526 sentences that were written for other models, and all others held on to what the network said, then two on a core in which the heads of those others, and nothing else, learnt what the network before had said (two tenths of the weights before, eight of those after)"
OF_OTHERS_ALONE = f"three on a core in which the heads alone of eight relevancies (all but the state of the economy) learnt what readers had said of 11,724 sentences that were written for other models ({THREE_TENTHS})"
AS_TWIN = "two on a core in which the head of claims alone learnt also what that of the calls says of 60,000 sentences of calls (the mean of the weights before and after)"
IN_OTHER_WORDS = "{epochs} on a core in which {models} learnt {n} further written sentences that tell of a topic in other words{also}, and all others held on to what the network said, then two on a core in which the heads of those others, and nothing else, learnt what the network before had said, and the label of a written sentence that it had misread{then} ({share})"
AND_OF_ITS_TWIN = ", and that of 18 also learnt 60,000 sentences of calls, as what the calls' package says of their claims"
MOSTLY_AFTER = "15 hundredths of the weights before, 85 of those after"
AFTER_THE_GPU = {
    "central-bank": (WITH_THE_WRITTEN, WITH_THE_BASELINES.format(epochs="three"), WITH_THE_PLAIN.format(epochs="three and two"), WITH_THE_TURNED, WITH_THE_TURNS_OF_OTHERS.format(epochs="four") + " (a fifth of the weights before, four fifths of those after)",
                     WITH_MORE_TURNS, BY_OTHER_TEACHERS.format(epochs="three and a half", teachers="three"), AND_BY_ITSELF.format(share="the mean of the weights before and after"),
                     BESIDE_LINEAR.format(share=THREE_TENTHS), WITHOUT_LINEAR.format(epochs="one and a half", share=""), HEARD.format(before="three tenths", after="35 hundredths each"), COMPARING,
                     READ_ANEW.format(epochs="three", models="enhanced uncertainty and foreign nations", share=MOSTLY_AFTER), READ_ANEW.format(epochs="three more", models="the state of the economy, and with more sentences foreign nations,", share=MOSTLY_AFTER),
                     HELD_BACK.format(share=THREE_TENTHS), OTHERS_IRRELEVANT, OF_OTHERS_ALONE, AS_TWIN,
                     IN_OTHER_WORDS.format(epochs="three", models="eight relevancies (all but the state of the economy)", n="5,612", also=", and foreign nations theirs with other parties", then=", and twice one in which the head of stance, and nothing else, did so with 309 further written sentences", share="two tenths of the weights before, eight of those after; of stance's own three tenths of those before between the two")),
    "earnings-call": ("three epochs on a core, in which the corpus counts more (the mean of the weights before and after them)", WITH_THE_WRITTEN, "three with more of them", WITH_THE_BASELINES.format(epochs="two"), WITH_THE_PLAIN.format(epochs="two and two"), WITH_THE_TURNED, WITH_THE_TURNS_OF_OTHERS.format(epochs="three"),
                      WITH_MORE_TURNS, BY_OTHER_TEACHERS.format(epochs="three and a quarter", teachers="two"), AND_BY_ITSELF.format(share=THREE_TENTHS),
                      BESIDE_LINEAR.format(share="the mean of the weights before and after"), WITHOUT_LINEAR.format(epochs="one and a quarter", share=" (of the weights before both of these eight tenths, of those after two)"), HEARD.format(before="two tenths", after="five and three tenths"), COMPARING,
                      READ_ANEW.format(epochs="two", models="sentiment, growth and impact", share="the mean of the weights before and after"),
                      HEADS_ALONE.format(models="impact, growth, cyber risk, cost of capital, geopolitical risk and the labour market", n="4,577", share=THREE_TENTHS), OF_OTHERS_ANEW,
                      IN_OTHER_WORDS.format(epochs="two", models="growth, impact and the seven relevancies", n="4,599", also=", and of growth and impact the labels of 9,364 sentences of documents", then="", share=THREE_TENTHS)),
}

LICENCE = """The weights are trained on material under CC BY-NC-SA 4.0 (World Central Banks) and CC BY-NC 4.0 (numerical claim detection,
Trillion Dollar Words). They are therefore offered under **CC BY-NC-SA 4.0: non-commercial use, share alike, with attribution**.
The code and the sentences in `models/training/` are the project's own.

Sources:
- Shah, Sukhani, Pardawala et al. (2025), *World Central Banks*: documents of central banks, and re-annotated sentences (stance, time, certainty).
- Shah et al. (2024), *Numerical Claim Detection in Finance*: earnings call transcripts, and labelled claims.
- Shah, Paturi, Chava (2023), *Trillion Dollar Words: A New Financial Dataset, Task & Market Analysis*: sentences of the FOMC with their stance."""

VARIANTS = {"full": "`full`", "quantized": "`quantized`: int8 tables and products, for the CPU", "fp16": "`fp16`: fp16 weights and arithmetic, for a GPU"}

HOW_VARIED = """`training/variants.py` makes `model_quantized.onnx` and `model_fp16.onnx` from `model.onnx` and measures them beside it, in one run: *taken* is what `--variant auto`
answers with. *Labels that differ* are of {n} sentences drawn at random from the corpus, mean of the heads (and most of a head). *Change of macro F1* is the mean over
heads and test parts (people, labelled), beside it the head that loses most and the one that gains most: in a test part of some hundred sentences one is up to a point.
Sentences a second are of one core (30 tokens, batches of 32), in turns. A variant is taken whose mean loses less than half a point, on the CPU only if it is not slower than
`full`. `quantized` has no range that is taken over a batch: those of activations are constants, sums are of whole numbers. Both files for the CPU have layer
normalisation written out of operators whose kernels are vectorised there (`full` was 1.4 times as fast for it, by a script that is not kept); convolutions of `quantized` shift bytes, and multiply once where those of `full` split and add; of its attention the products with trained matrices are of bytes too. The figures of `fp16` are of the same arithmetic on a CPU, each value rounded
as it is stored (on a CPU the file itself is computed in fp32); on a GPU, an H200 over WebGPU, networks of before, which compared no figures, gave the labels of `model.onnx` but for 14 of 156,000 (`test/bench/gpu.ts`), and over WebGPU on a processor all but one of 26,000 (`test/bench/software-gpu.ts`)."""

HOW_MEASURED = """How it was measured:
- **people**: sentences that people labelled for research. A fifth is held out by a hash of the text and nothing learnt from it: it is not in
  training, not in pretraining, no weakly labelled sentence; which network ships was decided with its figures in view (below). What is measured is the shipped network, its `model.onnx` (`full`); what the other files change stands under *Variants*.
- **labelled**: sentences of the corpora that a language model, not a person, labelled by the label guide (`LABELS.md` beside the packages), each read three times; the label is what most readings say (`training/labelled/`, which says how they were
  chosen and how far the readings agree: to a mean macro F1 of 0.98). Rare labels were sought out, so these are no shares of the corpora. Nothing learnt a label of them or of a sentence that shares eight words in a row with one.
  No encoder had read them either, but for the 614 sentences of `cb_foreign_nations_relevancy` alone, which were drawn last and which the networks before had learnt as what their teachers said. Two fifths of the first drawing and all of the later ones are here; three ways of using such labels were once compared on these, and earlier networks were chosen with their figures in view, which flatters a little.
  Until written sentences were learnt, networks were taken for their figures on sentences kept for calibration, which nothing had learnt (`training/against.py`); from then on the whole test part (people's, by the guide, written, written in other words, written for others, plain, turned) was in view when one was taken, step by step in `training/HISTORY.md`.
  On the sentences kept the mean macro F1 by the guide was 0.907 and 0.883 before written sentences were learnt (central banks, calls), and is 0.9216 and 0.8931 now (0.9199 and 0.8935 before the last of them were learnt, by the same labels).
  How much the labels by the guide count beside people's was chosen with the baseline's kind of model and the figures of people's test part in view, a look that flatters a little.
  A central bank network that had also learnt `stance-of-policy-moves.jsonl` was not taken after it had been measured on people's and on these sentences, as the shipped one had. The baseline of stance learns people's labels of it only.
- **labelled, with a turn**: those of them that have a *not*, *but*, *although*, *while*, *if*, *fewer* or the like in them (`WITH_A_TURN` in `training/turned.py`), of the models that turned statements are of: whether these pay on documents.
- **written**: sentences written for this project, hard on purpose: paraphrases without the usual word, the usual word in another sense, bad things that fall and good ones that fall, contrast, negation. A language model wrote them, most of the test part
  in a sitting of its own that had not seen those that are learnt (1,645; the rest is 30% of each label of the first 1,715). None that was learnt of the later rounds shares six in ten of its words with one of the 1,645; of the first writing 13 pairs do. They were written to be clear: of 84 drawn at random and read again blind none was labelled otherwise.
  Labels are even, so the figures are no estimate for documents: they say how far a model goes beyond its keywords. *Keywords* are the labelling functions alone, the usual label where they abstain.
- **written, with a turn**: 1,592 in which the direction word, the good and bad words, the tense or the usual word are not yet the answer, or seem not to be ("The drop in employment that had been forecast failed to materialise, and payrolls expanded by 300,000 instead."). Their eight writers had seen neither what is learnt nor the frames of the turned statements; eight readers, who saw them without their labels, labelled none otherwise, and five that were unclear were left out. Of most models they are 59 to 124, so an interval is wide.
- **written, in other words**: 376 of six relevancies of calls and 379 of eight of central banks, of which half tell of the topic by what happens, without its name and its usual words ("The drills have stood in the yard since March, and the county still has not said whether we may dig."), and the other half are put alike or have a usual word in another sense. Their four writers had seen nothing of what is learnt; two readers a package, who saw them without their labels and read for all topics, labelled none otherwise; one that was unclear, eleven that are near to what is learnt and a repeat were left out. Of a model they are 46 to 64, so an interval is wide.
- **written for others** (a table of its own): what is tested of *written*, *written, with a turn* and *written, in other words*, as a test of the relevancy models that it was not written for: two readers, who saw the sentence alone, said for which it is relevant (of each model both say the same of 98.9% or more, *unclear* counted as a label); what both found unclear or they differ on is left out, up to 2.4%. Half of what is written for a model is relevant to it and, in the mean, one sentence in 33 of central banks (without inflation one in 59) and one in 51 of calls to each other one,
  so this says whether a head hears the topic or the way in which such sentences are put. `cb_economic_status_relevancy` was not read for.
- **plain**: statements put together by a program from tables of things, direction words and frames (`training/plain.py`: "The Council opted for an end to targeted refinancing operations.", "Charge-offs receded markedly."). They ask one thing: that what moves and which way are read together. Of the test part, 200 of a kind,
  half are of pairs of a thing and a direction word that are learnt, but never of each other (*new pairs*), half of things that are in no statement that is learnt (*new things*); its frames are in none. A language model that saw 312 of them drawn at random without their labels, test part and learnt ones, with the guide and told how purchases and slack bear on policy, labelled none otherwise, and found 22 odd or doubtful; of 288 of an earlier draft three,
  all of *the caps on monthly redemptions*, which were taken out.
- **turned**: statements of the same tables in which the direction word is not yet the answer (`training/turned.py`): it fails to happen, is ruled out, waits for a condition, is done all the same, is one of two movements, counted by more or fewer, feared ("Redundancies have still not mounted.", "It would be a mistake to scale back its repo operations now.", "But for the strike, volumes would have risen.").
  Halves and frames are as of the plain ones, and beside a frame that turns a direction round stands one as like it as can be that does not ("saw no reason to", "saw every reason to"). A language model that saw 340 of them drawn at random without their labels, with the guide and the decisions that they rest on, labelled one otherwise (*returns*, which it took for products sent back), found 68 oddly worded and 37 open to doubt; of 362 of the frames and clauses that were added then it labelled none otherwise, 40 odd and 10 doubtful; of 340 drawn at random after some 230 frames more none otherwise, 70 odd and 3 doubtful, of 336 drawn at random of those that were learnt then, after 570 more, none otherwise, one odd and one doubtful, and of 300 of those of the last 200 frames and 280 things, plain ones among them, none otherwise, 22 odd and five doubtful ("It was decided to complete the allowance for term funding.").
- **agreement**: how often the network says what the labelling functions say, on corpus sentences that were not trained on. The functions
  are keyword rules and wrong at times: this is fidelity to the rules, not accuracy.
- **baseline**: TF-IDF of word 1-2 and character 3-5 grams with logistic regression, trained on the same training part (people's labels,
  written and labelled sentences, of stance no labelled ones, and none that were labelled as people would have; without people's labels, up to {weak} weakly labelled sentences beside them).
  Its solver goes on to the end (`tol` of 1e-5): of central banks the one before, which stopped at 1e-3 and had two thirds of the written sentences, had a mean macro F1 by the guide of 0.840, this one then 0.885.
  It learns no plain or turned statements, but for the rows *plain* and *turned*, in which it is one that learnt both.
  Of the written sentences it has learnt the rounds up to the fifteenth; the calls have learnt the sixteenth too and stance the eighteenth, and nothing that ships has learnt the seventeenth yet (`training/sentences/`).
- Macro F1 is over the labels that occur in the test part. Intervals are of 1,000 bootstrap samples. *Calibration error* is the expected distance of score
  and accuracy over ten bins, of people's and labelled sentences (written and put together ones are hard and even on purpose, no sample of what documents hold, and scores are not calibrated for them: `training/results.json` has their figures): one temperature a model, and where people labelled one bias a label, fitted on sentences kept apart for it, are folded into the weights. *Majority* is the accuracy of always giving the commonest label of the test part."""

WEAK_POINTS = {
    "central-bank": """- Stance is a task on which readers differ: on the re-annotated sentences of World Central Banks, chosen because they are hard, a language model that read by the label guide agreed with people in 46%,
  one that was shown the nearest sentences that people had labelled in 59% to 66% (`training/labelled/`). The head learnt people's labels, what the latter said of 57,000 sentences, and at a fraction of the weight the guide's.
- The stance of two banks was labelled the other way round where it is about growth (Reserve Bank of India, Taiwan; `training/README.md`); nothing learnt it, and in the row *people* it counts against the head. The row *people but for two banks*
  leaves them out; how the head does on these two alone, as they were labelled and with *Hawkish* and *Dovish* exchanged, stands in `models/README.md`, people's labels by source.
- No person labelled central bank sentences for relevancy, enhanced uncertainty or claims: these heads follow a language model's labels, what transformers that learnt them say of the corpus, and 900
  to 4,400 written sentences each. A sentence that is put as written ones are, short and concrete, is at times taken for relevant for that alone: of tested ones that were written for other models `cb_foreign_nations_relevancy` calls 15 relevant, nine of them wrongly, `cb_labor_market_relevancy` 162 and 16, `cb_inflation_relevancy_label` 282 and 17 (the table of them above). A topic that is told of by what happens, without its usual words, is at times missed (*written, in other words*: of such sentences, half of them relevant, one in five of inflation and of the labour market is misread, and the baseline is ahead in the mean). `cb_claim_projection_label` was measured against people on analyst reports and earnings calls, another kind of text.
- `cb_foreign_nations_relevancy` and `cb_dollar_value_relevancy` hang on who the parties are, which a shallow network often misses: of 614 sentences drawn because they name the United States it finds 78% of those that tell of a relation with another country, and of what it finds 78% does (34% and 95% before its labels were read anew).
- Of stance, plain statements of runoff and sales of bonds are misread where what moves is not named by words that were learnt, one in seven (`models/README.md`, plain statements).
  Of turned statements one in twelve is: what is ruled out, what is feared, and above all who is counted by more and fewer, where the words for it were not learnt ("More families bought a home." reads *Dovish*, "Families are buying fewer big-ticket goods than they did a year ago." *Hawkish*), and of sentences with a turn that others wrote one in seven. Of those whose tense, hedge or usual word misleads one in ten of foreign nations is misread, one in six of time, one in eleven of claims, one in 24 of certainty. Over a document such errors weigh less: see the policy cycles in the project's README.
- Of stance, two figures are compared where a word says so ("inflation was 1.8%, compared with 1.6%" reads *Hawkish*); where each has a direction of its own ("an 8.5 percent decline, following a 1.3 percent increase") the comparison may mislead.
- Of stance, a decline that slows, and the exchange rate or a deficit alone, are read without a consistent direction: "The year-on-year rate of decline in consumer prices had continued to slow as a trend." reads *Dovish*, and so does "The franc had weakened."; of 22, 24 and 14 such sentences of documents networks of before had six, five and five wrong.
- Certainty and time follow the annotators of World Central Banks, who were not always consistent: of 3,863 sentences that they had not learnt the transformers that taught this network have a weighted F1 of 0.792 and 0.844, linear models of words and letters 0.773 and 0.798 (`training/linear_teachers.py`).""",
    "earnings-call": """- Only claims were labelled by people on this kind of text (398 of the 2,514 sentences are from calls, the rest from analyst reports).
  `ec_forward_looking` also learnt from central bank sentences, and its *people* row is measured on those: another kind of text.
- Sentiment, growth, material impact and the relevancy heads follow a language model's labels, what transformers that learnt them say of the corpus, and two to eleven thousand written sentences each. A sentence that is put as written ones are, short and concrete, is at times taken for relevant for that alone: of tested ones that were written for other models `ec_price_relevancy` calls 104 relevant, 31 of them wrongly, `ec_regulatory_risk_relevancy` 70 and 24, `ec_competition_relevancy` 46 and 22 (the table of them above; all seven heads 107 wrongly). A topic that is told of by what happens, without its usual words, is at times missed (*written, in other words*: of such sentences, half of them relevant, one in five of regulation, competition, prices and the labour market is misread, and the baseline does as well in the mean), though the package has learnt 4,599 of them. No relevancy was tested on other kinds of text, such as analysts' notes, and on documents most relevancies of calls can hardly be told from the baseline (the intervals above); where few sentences are relevant the calibration error is nearly all of the others'. Irony, contrast
  and news that is only good against expectations are at times missed, as are bad things that fall, what fails to happen or would have happened but for something (the rows *turned*; "The strong dollar took every bit of the progress we made." reads *Positive*), and what only a comparison tells ("While expenses rose, so did sales." reads *Negative Growth*): of sentences with a turn that others wrote nearly a fifth of sentiment, a fifth of impact and one in nine of growth, where the tense or a hedge misleads one in six or seven of time and of claims (a forecast of the past, a plan without a number), and a quarter where the usual word of the cost of capital does; of things that were not learnt, as the plain statements name them, the table in `models/README.md` says how many.
- Two figures are compared where a word says so and both are of one kind (dollars, percent, basis points, plain numbers): of 193 sentences of calls that compare two and have no word for the direction `ec_growth` reads 190 as
  the figures say (`training/compared.py`). Not where no word compares them ("A year ago it was 5%, now it is 4%."), where a letter or another currency's sign is part of a figure (`$5M`, `RMB2.1`, `£20`), where only one of two has its unit ("from 1.2 to 1.5%"), where a loss is given as a positive figure.
  Of statements put together, in frames that none was learnt in, growth is right in seven of ten and sentiment in six (*two figures* in `models/README.md`, plain statements).
- Growth of something that should shrink (costs, churn, debt) is growth for `ec_growth` only when it is a quantity of the business.
- The labelling functions were written with the vocabulary of 2017 to 2023 in mind; new topics need new rules.""",
}


def write_cards(out: Path, results: dict) -> None:
    for package in PACKAGES:
        if package in results:
            (out / package / "README.md").write_text(card(package, results[package]))
    if all(p in results for p in PACKAGES):
        (out / "README.md").write_text(overview(results))


def overview(results: dict) -> str:
    lines = [
        "# Models", "",
        "Two packages, each one ONNX graph that answers all of its models in one pass:", "",
        "| package | models | size of model.onnx | sentences per second of processor time of one core (30 tokens, batches of 32) |", "|---|---|---|---|",
    ]
    for package in PACKAGES:
        f = results[package]["variants"]["files"]["full"]
        lines.append(f"| [`{package}`]({package}/README.md) | {len(PACKAGES[package])} | {f['megabytes']} MB | {f['sentences_per_second_per_core']:,} |")
    lines += ["", "They are small networks that transformers taught, both trained from nothing on the public corpora and the labels of `training/`, meant to make the pipeline useful as it comes and fast on a processor.",
              "On the hard tasks, stance above all, a large transformer that was pretrained on far more should do better; it can be imported in their place.", "",
              "## Variants", "", *variants(results), "",
              "## Figures", ""]
    for package in PACKAGES:
        lines += [f"{TITLES[package]}:", "", figures(results[package]["models"]), ""]
    lines += [how_measured(results[next(iter(PACKAGES))]), "", "## People's labels by source", "", *by_source(results), "", "## Plain statements", "", *plain_by_kind(results), "", "## What is weak", ""]
    for package in PACKAGES:
        lines += [f"{TITLES[package]}:", "", WEAK_POINTS[package], short_of_aims(package, results[package]["models"]), below_baseline(results[package]["models"]), ill_calibrated(results[package]["models"]), ""]
    lines += ["## Licence and sources", "", LICENCE, ""]
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
    if "variants" not in result:
        return ""
    measured = result["variants"]
    header = ["| variant | taken on | size | sentences per second | labels that differ | change of macro F1 (worst, best head) |", "|---|---|---|---|---|---|"]
    rows = [line.removeprefix("|  ") for line in variant_rows("", measured)]
    how = HOW_VARIED.replace("{n}", f"{measured['corpus_sentences']:,}")
    return "\n".join(["## Variants", "", *header, *rows, "", how, "", "Macro F1 of each model by each variant:", "", *variant_f1(measured), "", ""])


def how_measured(result: dict) -> str:
    return HOW_MEASURED.replace("{weak}", f"{result['training']['settings']['baseline_weak']:,}")


TEST_HEADER = """| model | test | n | accuracy | macro F1 (95%) | weighted F1 (95%) | baseline macro F1 | baseline weighted F1 | majority | calibration error |
|---|---|---|---|---|---|---|---|---|---|"""
# Parts of the test sentences, with how a row names them; the second is of stance alone, the fourth of the models that turned statements are of, the sixth of these and of seven more, the seventh of relevancy.
TEST_PARTS = (("people", "people"), ("people_but_for_two_banks", "people but for two banks"), ("labelled", "labelled"), ("labelled_with_turn", "labelled, with a turn"), ("written", "written"), ("written_with_turn", "written, with a turn"), ("written_in_other_words", "written, in other words"), ("plain", "plain"), ("turned", "turned"))
# Those that stand for themselves: the others are parts of them.
MEAN_PARTS = tuple((kind, name) for kind, name in TEST_PARTS if kind not in ("people_but_for_two_banks", "labelled_with_turn"))
# What was aimed at, of what stays unseen: macro F1 by the guide and on written sentences (their parts), and weighted F1 by the source of people's labels.
AIM_OF_RELEVANCY, AIM_OF_THREE = 0.9, 0.8
AIMED_AT = ("labelled", "written", "written_in_other_words")
AIMS_OF_PEOPLE = {"cb_stance_label": {"fomc_stance": 0.69, "wcb_sentences": 0.54}, "cb_certain_label": {"wcb_sentences": 0.8}, "cb_forward_looking_classification": {"wcb_sentences": 0.83}, "cb_claim_projection_label": {"numerical_claims": 0.95}, "ec_forward_looking": {"wcb_sentences": 0.83}, "ec_claim_projection": {"numerical_claims": 0.95}}
AIMS = "macro F1 of 0.90 for relevancy and 0.80 for the models of three labels, by the guide, on written sentences and on those in other words; of people's labels weighted F1, 0.69 for stance of the FOMC (0.65 without a GPU) and 0.54 of World Central Banks, 0.80 for certainty, 0.83 for time and 0.95 for claims"
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
    worse = [f"`{m}` ({name})" for m, r in models.items() for kind, name in (*MEAN_PARTS, FOR_OTHERS) if r.get(kind) and r[kind]["model"]["weighted_f1"] < r[kind]["baseline"]["weighted_f1"]]
    return f"- Below the baseline in weighted F1 (`training/results.json` has that of *written for others*): {', '.join(worse) or 'none'}."


def short_of_aims(package: str, models: dict) -> str:
    """By code too."""
    short = [f"`{m}` ({name} {found:.3f}, {aim:.2f})" for m, name, found, aim in aimed_at(package, models) if found < aim]
    return f"- Short of what was aimed at ({AIMS}): {', '.join(short) or 'none'}."


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
    worse = [f"`{m}` ({name}, {r[kind]['model']['calibration_error']:.3f})" for m, r in models.items() for kind, name in TEST_PARTS if kind not in NOT_CALIBRATED_ON and r.get(kind) and r[kind]["model"]["calibration_error"] > MOST_CALIBRATION_ERROR]
    return (f"- Calibration error over {MOST_CALIBRATION_ERROR}: {', '.join(worse) or 'none'}. A head that both people and the guide labelled has one temperature, set by people's sentences to three quarters "
            "(of certainty to a half; of the calls' time, which people labelled in texts of central banks, by the guide's alone): where people's count for more, it is right by the guide more often than its scores say, and where the guide's do, less often by people's.")


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
    keyword = "In a third of the corpus's sentences the keyword that fired is masked,\nso that its context must do."
    halves = (f"Of {TAUGHT_HEADS[package]} a sentence of people's is learnt as {1 - settings['teacher_share']:.0%} its label and {settings['teacher_share']:.0%} what the teacher says that has not seen it, "
              f"and what a language model said by the guide counts {settings['weight_labelled_beside_people']:.0%} as much, a written sentence {settings['weight_written_beside_people']:.0f} times as much (in the last fit that learnt them). {keyword}{IN_THE_LAST_FIT[package] if t['fitted_elsewhere'] else ''}")
    if t["fitted_elsewhere"]:
        steps = "\n".join(f"{n}. {step};" for n, step in enumerate(AFTER_THE_GPU[package], start=1)).removesuffix(";")
        return f"""`models/training/on_gpu.sh`, `main_fit.py` and `train.py`, seed {Settings().seed} (the last fit {settings['seed']}): a WordPiece vocabulary and {settings['pretrain_steps']:,} steps of masked-token pretraining of the convolutions on the corpus (half an hour of a core); on an H100 a transformer of 8 layers and
512 dimensions, pretrained for 450 s on masked words of the corpora of both packages, and three teachers of all heads, that transformer fitted to all labels but one fold of people's; eight epochs of all heads of the convolutions together there, in which a sentence of the corpus is learnt as what the teachers say, one that was labelled as its label.
Then it went on, each time from the network before (`models/training/HISTORY.md`):

{steps}.

{halves}"""
    return f"""`models/training/train.py`, seed {settings['seed']}, {t['seconds'] / 60:.0f} minutes of wall clock on two cores that other work shared: a WordPiece vocabulary, {settings['pretrain_steps']:,} steps of masked-token pretraining on the corpus;
then {settings['teacher_folds']} teachers of {TAUGHT_HEADS[package]}, each fitted without one fold of people's sentences and each the mean of a network ({settings['teacher_epochs']} epochs) and of a logistic regression on the baseline's features
and pairs of stemmed words up to seven apart; then {settings['epochs']} epochs of all heads together. {halves}"""


def corpus_labels(package: str, t: dict) -> str:
    if t["fitted_elsewhere"]:
        return f"what transformers say that were fitted on all labels above (`models/training/transformer_teachers.py`), in two fits in the mean with what the network itself said before, in one of these, of what people labelled, with what linear models of people's labels say too, {'in those of steps 13 to 15, 18 and 19 what the network before said; those of 16 and 17' if package == 'central-bank' else 'in those of steps 15, 17 and 18 what the network before said; that of 16'} learnt none of them{AND_OF_ITS_TWIN if package == 'central-bank' else ''}."
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
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ([^|]+) \|$", (Path(__file__).parent.parent / "LABELS.md").read_text(), re.MULTILINE)
    return dict(rows)


def card(package: str, result: dict) -> str:
    t, c, shape = result["training"], result["check"], result["training"]["shape"]
    settings = t["settings"]
    rules = read_rules()
    labels = "\n".join(f"| `{m}` | {', '.join(names)} | {rules[m]} |" for m, names in PACKAGES[package].items())
    people = ", ".join(f"{n:,} of {source}" for source, n in t["people_train"].items())
    shares = "\n".join(f"| `{m}` | " + ", ".join(f"{label} {share:.1%}" for label, share in s.items()) + " |" for m, s in result["shares"]["models"].items())
    return f"""# {TITLES[package]}

One ONNX graph with {len(PACKAGES[package])} outputs, one per model: single-sentence classifiers for {SUBJECT[package]}.

## Use

Inputs `input_ids` and `attention_mask` (int64, batch x sequence, padded on the right with 0), one output per model id (float32, batch x labels, raw logits;
softmax gives scores). `tokenizer.json` adds [CLS] and [SEP]; at most {settings['max_length']} tokens are read. Lower-casing is part of the tokenizer, and so is that {numbers(shape)}.
Meant for shares and averages over many sentences. Single labels are often wrong on the harder models; not meant for decisions about
people or for trading on single sentences. English only.

## Labels

| model | labels | rule ([`LABELS.md`](../LABELS.md)) |
|---|---|---|
{labels}

## Architecture

Wide and deep in one graph. Wide: a linear model over token ids and hashed pairs, gapped pairs and triples of token ids ({sum(v for k, v in shape.items() if k in ('pairs', 'gaps', 'triples')):,} buckets).
Deep: {shape['vocab']:,} token embeddings of {shape['dim']} dimensions, on them {towers(shape)}{shape['blocks']} convolution blocks of width 3 (dilations {', '.join(map(str, shape['dilations']))}), {attention(shape)}masked maximum, mean and one attention
pooling per model.{compared(shape)} Weights are stored as fp16 ({c['megabytes']} MB) and computed as fp32, {result['variants']['files']['full']['sentences_per_second_per_core']:,} sentences per second of processor time of one core (30 tokens, batches of 32).
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

## Figures

{figures({m: result["models"][m] for m in PACKAGES[package]})}

{how_measured(result)}

Shares of labels on {result['shares']['n']:,} sentences drawn at random from the corpus (headings and fragments included), to see whether they are plausible:

| model | shares |
|---|---|
{shares}

{card_variants(result)}## What is weak

{WEAK_POINTS[package]}
{short_of_aims(package, result["models"])}
{below_baseline(result["models"])}
{ill_calibrated(result["models"])}

## Licence and sources

{LICENCE}
"""


if __name__ == "__main__":
    here = Path(__file__).parent
    write_cards(here.parent, json.loads((here / "results.json").read_text()))
