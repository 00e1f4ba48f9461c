"""All sentences of a package in the parts that a fit and a measurement need: what is learnt from, what is kept apart, what stays unseen. By itself, it writes them for a machine that has neither labels nor corpora:

    python models/training/prepare.py --labels ../shared/labels --corpora ../shared/corpora --weak-at-random 250000 --weak-per-label 4000 --out parts
"""

import pickle
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from calibrate import kept_for_calibration
from compared import as_figures_say
from data import Example, HeldOut, Near, read_corpus, read_people, read_written
from labelled import read_as_people, read_labelled
from labels import PACKAGES
from plain import PLAIN
from settings import Settings, flags
from statements import read_plain
from weak import WeakExample, sample_weak

HERE = Path(__file__).parent
# The sources whose sentences are of the corpora.
OF_DOCUMENTS = ("labelled", "as people")


@dataclass(frozen=True)
class Parts:
    """`tests` stay unseen by all else, and so does every sentence that shares eight words in a row with a labelled one of them; `kept` is for calibration; `groups` is the whole corpus, `corpus` what may be pretrained on."""

    tests: list[Example]
    train: list[Example]
    kept: list[Example]
    weak_train: list[WeakExample]
    weak_test: list[WeakExample]
    groups: dict[str, list[str]]
    corpus: list[str]

    @property
    def own_words(self) -> list[str]:
        """The sentences beside the corpus that the vocabulary is made of."""
        return list(dict.fromkeys(e.text for e in self.train + self.kept if e.source not in ("labelled", "as people", PLAIN)))


def prepare(package: str, labels: Path, corpora: Path, settings: Settings, log: Callable[[str], None]) -> Parts:
    seed = settings.seed
    people = read_people(package, labels, seed)
    written = read_written(package, HERE / "sentences")
    labelled = read_labelled(package, HERE / "labelled", corpora)
    as_people = read_as_people(package, HERE / "labelled", corpora)
    groups = read_corpus(package, corpora)
    known = people + written + labelled + as_people
    plain = read_plain(package, True, seed)
    held_out = HeldOut([e.text for e in people + written + plain if e.test], [e.text for e in labelled if e.test])
    # Nothing learns the sentences of documents that compared.py asks.
    known_train = [e for e in known if not e.test and e.text not in held_out and not (e.source in OF_DOCUMENTS and as_figures_say(e.text))]
    kept = [e for e in known_train if kept_for_calibration(e, seed)]
    train = [e for e in known_train if not kept_for_calibration(e, seed)]
    near = Near([e.text for e in written + plain if e.test])
    train += [e for e in read_plain(package, False, seed) if e.text not in held_out and e.text not in near]
    log(f"{sum(map(len, groups.values()))} corpus sentences, {len(people)} people's, {len(written)} written, {len(labelled)} labelled by a language model, {len(as_people)} by it as people would have, {sum(e.source == PLAIN for e in train)} plain statements")
    weak = sample_weak(package, groups, held_out, seed, settings.weak_at_random, settings.weak_per_label)
    weak_train, weak_test = [w for w in weak if not w.test and not as_figures_say(w.text)], [w for w in weak if w.test]
    log(f"{len(weak_train)} weakly labelled sentences, {len(weak_test)} kept for agreement")
    corpus = [s for group in sorted(groups) for s in groups[group] if s not in held_out]
    random.Random(seed).shuffle(corpus)
    return Parts([e for e in known + plain if e.test], train, kept, weak_train, weak_test, groups, corpus)


def read_parts(folder: Path, package: str) -> Parts:
    return pickle.loads((folder / f"{package}.pkl").read_bytes())


def main() -> None:
    parser = flags(__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a folder, for a file a package")
    for name in ("weak_at_random", "weak_per_label"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(Settings(), name))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    settings = replace(Settings(), weak_at_random=args.weak_at_random, weak_per_label=args.weak_per_label)
    for package in PACKAGES:
        parts = prepare(package, args.labels, args.corpora, settings, lambda message, package=package: print(f"[{package}] {message}", flush=True))
        (args.out / f"{package}.pkl").write_bytes(pickle.dumps(parts))


if __name__ == "__main__":
    # Under its own name, which the files refer to.
    from prepare import main as run

    run()
