"""Turned statements: plain ones in which the direction word is not yet the answer, for it is denied, ruled out, bound to a condition, weighed against another, counted, or only feared. Inflation that fails to fall calls for tighter policy; fewer customers lost are good news.

Their things, direction words and halves of the test part are those of `plain.py`; a turn adds frames, learnt and tested, some of which turn the direction round and some, as like them as can be, do not.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from labelled import STANCE
from plain import COMPANY, EVENTS, KINDS, PAIRS, THINGS, Direction, Kind, Verb, fill, is_held_out, is_plural, pair, things, verbs

Maker = Callable[[str | None, random.Random], tuple[str, dict[str, str]]]

# What a sentence of a document has that may turn its direction round, weigh it or put it on a condition.
WITH_A_TURN = re.compile(r"\b(not|no longer|fail\w*|unless|although|though|despite|while|but|however|fewer|less|unlikely|risks?|until|if|should|without)\b", re.IGNORECASE)

# Direction words that nothing fails to do.
STRONG = {"soar", "plunge", "surge", "slump", "tumble", "spike", "shoot up", "escalate", "double", "halve", "jump", "sink"}


@dataclass(frozen=True)
class Frames:
    learnt: tuple[str, ...]
    tested: tuple[str, ...]

    def of(self, test: str | None) -> tuple[str, ...]:
        """For a new pair those alone that have a form of the verb in them."""
        if test != PAIRS:
            return self.tested if test else self.learnt
        return tuple(f for f in self.tested if any(form in f for form in ("{v}", "{past}", "{pp}", "{g}")))


@dataclass(frozen=True)
class Turn:
    """`same` leave the direction as it is said, `turned` turn it round."""

    same: Frames
    turned: Frames


# Beside what plain.py fills in: `then` is a rise or fall in it that was spoken of before ("the rise in"), `last` the same without its article.

FAILS = Turn(
    same=Frames(
        ("{T} did not stop {g}{when}.", "{T} {has} not stopped {g}.", "{T} {is} still {g}.", "Nothing kept {t} from {g}{when}.", "{Then} {t} continued{when}.", "{Then} {t} showed no sign of ending.", "{Then} {t} is not over yet.", "{T} {has} indeed begun to {v}.", "{T} did not fail to {v}{when}.", "{T} will not stop {g}{when_ahead}.", "{T} kept on {g}{when}.", "{T} {has} gone on {g}.", "There is no end in sight to {then} {t}.", "{Then} {t} has not run its course.", "{T} did not cease to {v}.", "{T} did indeed {v}{when}.", "As expected, {t} {past}.", "It is no surprise that {t} {has} {pp}.", "Not only did {t} {v}, it did so faster than before.",
         "{T} {was} expected to {v}, and did.", "The expected {last} {t} came about.", "{Then} {t} goes on.", "{Then} {t} has further to run.", "{Then} {t} gathered pace.", "Nothing has put an end to {then} {t}.", "{T} {has} nowhere near stopped {g}.", "It was not in vain that we waited for {t} to {v}.",
         "{T} {past} as had been expected{when}.", "{N} {t} materialised{when}.", "There are signs of {n} {t}.", "{T} {is} widely expected to {v}.", "{N} {t} is in sight.", "{N} {t} took place.", "Much suggests that {t} will {v}.", "{Then} {t} lasted.", "{Then} {t} was anything but short-lived.", "We do see {n} {t}.", "Both this survey and the last show {n} {t}.",
         "{T} showed every tendency to {v}{when}.", "We are now seeing {t} {v}.", "We have seen {n} {t}{when}.", "The data do show {n} {t}.", "Evidence of {n} {t} is plentiful.", "There is ample evidence that {t} {has} begun to {v}.", "{N} {t} has been confirmed.", "{Then} {t} was not reversed{when}.", "{Then} {t} was sustained.", "{Then} {t} proved lasting.", "{Then} {t} has not lost steam.", "{Then} {t} is not behind us.", "Both in May and in June {t} {past}.", "{T} never stopped {g}{when}.", "At no time did {t} stop {g}.", "What looked like noise turned out to be {n} {t}.", "Nobody doubts any longer that {t} {is} {g}.", "{T} {past} without a break{when}.", "{Then} {t} did not let up{when}.", "Talk of {n} {t} was not premature.", "{T} {has} {pp} without fail.", "In every month {t} {past}.",
         "There were clear traces of {n} {t}{when}.", "For all the want of momentum, {t} did {v}{when}.", "{N} {t} was conspicuous{when}.", "The absence of any break in {then} {t} was striking.", "{N} {t} was to be seen everywhere{when}.", "Those who looked for {n} {t} did not look in vain.", "{Then} {t} has not fizzled out.", "Far from petering out, {then} {t} continued{when}.", "At no point did {then} {t} grind to a halt.", "How much did {t} {v}? A great deal.", "Did {t} {v}? Very much so.", "The much-heralded {last} {t} has arrived.", "What was billed as {n} {t} has turned out to be exactly that.", "{T} {has} given in to the pressure to {v}.", "{T} would not stop {g}, whatever was done.", "{T} {was} anything but reluctant to {v}{when}.", "{T} did not stop short of {g}{when}.", "{T} {was} on the point of {g}, and then did.", "It is no exaggeration to say that {t} {has} {pp}.", "Hopes that {t} would {v} were not dashed.", "{Then} {t} got off the ground{when}.", "{N} {t} has not remained a mere hope.", "{N} {t} is no longer missing from the data.", "The data are full of signs of {n} {t}.", "{Then} {t} exists not only on paper.", "Claims that {t} had {pp} were borne out.",
         "{Then} {t} was no mirage.", "Talk of {n} {t} was no false alarm.", "{Then} {t} has not been stopped in its tracks.", "{Then} {t} could not be nipped in the bud.", "{Then} {t} has not given way to the opposite.", "The \"{last} {t}\" that some had feared did occur.", "The days when {t} kept {g} are not gone.", "The days of {then} {t} are far from over.", "{T} {has} not only begun to {v} but gathered speed in doing so.", "{T} {past} more than slightly{when}.", "It was not too soon to speak of {n} {t}.", "{T} did nothing except {v}{when}.", "Many waited for {t} to {v}, and just that happened.", "There was no lack of evidence of {n} {t}{when}.", "There is no dearth of evidence that {t} {is} {g}.", "The momentum behind {then} {t} has not evaporated.", "{Then} {t} was not undone{when}.", "The wait for {n} {t} is over.", "The wait for {t} to {v} has not been fruitless.", "{Then} {t} has by no means vanished.", "{T} could not be kept from {g}{when}.", "Nothing could stop {t} from {g}.", "Nothing stands in the way of {n} {t}.", "{T} {has} done nothing but {v}.", "{T} {was} not hindered from {g}{when}.", "Nothing put a stop to {then} {t}{when}.", "There is now {n} {t} worth speaking of.",
         "The latest figures bore out reports of {n} {t}.", "We searched the data for {n} {t} and found it.", "{T} {has} not lost the tendency to {v}.", "{Then} {t} proved more than a blip.", "{Then} {t} was no flash in the pan."),
        ("{T} {has} not yet stopped {g}.", "{Then} {t} is far from over.", "{T} did {v} after all{when}."),
    ),
    turned=Frames(
        ("{T} failed to {v}{when}.", "{T} {has} yet to {v}.", "{T} refused to {v}{when}.", "{T} did not {v} as expected{when}.", "Contrary to expectations, {t} did not {v}{when}.", "{T} stopped {g}{when}.", "{T} {is} no longer {g}.", "{N} {t} did not materialise{when}.", "{Then} {t} came to an end{when}.", "{Then} {t} has come to a halt.",
         "{Then} {t} that had been expected failed to appear.", "So far, {t} {has} not {pp}.", "There is still no sign of {n} {t}.", "{T} {is} no longer expected to {v}.", "{T} {has} ceased to {v}.", "{T} did not {v} any further{when}.", "{N} {t} is not in sight.", "{N} {t} did not take place.", "Nothing suggests that {t} will {v}.", "{Then} {t} did not last.", "{Then} {t} was short-lived.", "{Then} {t} has run its course.", "{Then} {t} ended{when}.", "{T} {has} not {pp}{when}.", "{T} {is} not {g}.", "We see no {last} {t}.", "Neither this survey nor the last shows {n} {t}.",
         "{N} {t} proved elusive.", "{T} {was} expected to {v}, but did not.", "The expected {last} {t} did not come about.", "We waited in vain for {t} to {v}.", "{T} did anything but {v}.", "{T} {is} far from {g}.", "There has been no {last} {t}.", "{T} {was} prevented from {g}.", "{Then} {t} has stalled.", "{Then} {t} is a thing of the past.", "An end has been put to {then} {t}.",
         "{T} showed no tendency to {v}{when}.", "We are not seeing {t} {v}.", "We have not seen {n} {t}{when}.", "The data do not show {n} {t}.", "Evidence of {n} {t} is lacking.", "There is little evidence that {t} {has} begun to {v}.", "Reports of {n} {t} have not been confirmed.", "{Then} {t} was reversed{when}.", "{Then} {t} was not sustained.", "{Then} {t} proved temporary.", "{Then} {t} has lost steam.", "{Then} {t} is behind us.", "Neither in May nor in June did {t} {v}.", "{T} never {past}{when}.", "At no time did {t} {v}{when}.", "What looked like {n} {t} turned out to be noise.", "Nobody believes any longer that {t} {is} {g}.", "{T} {has} not {pp} since the spring.", "There was hardly any {last} {t}{when}.", "Talk of {n} {t} was premature.", "{T} {has} shown no inclination to {v}.", "In no month did {t} {v}.", "We are still waiting for {t} to {v}.", "{T} should have {pp}, but did not.", "{N} {t} has not been forthcoming.",
         "There was no trace of {n} {t}{when}.", "For want of momentum, {t} did not {v}{when}.", "Any {last} {t} was conspicuous by its absence.", "The absence of any {last} {t} was striking.", "{N} {t} was nowhere to be seen{when}.", "Those who looked for {n} {t} looked in vain.", "{Then} {t} has fizzled out.", "{Then} {t} has ground to a halt.", "How much did {t} {v}? Not at all.", "Did {t} {v}? Not in the least.", "The much-heralded {last} {t} never arrived.", "What was billed as {n} {t} has turned out to be nothing of the kind.", "{T} {has} resisted all pressure to {v}.", "{T} would not {v}, whatever was done.", "{T} {was} reluctant to {v}{when}.", "{T} stopped short of {g}{when}.", "{T} {was} on the point of {g}, but then did not.", "It is simply not true that {t} {has} {pp}.", "Hopes that {t} would {v} were dashed.", "{Then} {t} failed to get off the ground{when}.", "{N} {t} has remained a mere hope.", "{N} {t} is still missing from the data.", "The data are devoid of any {last} {t}.", "{Then} {t} exists only on paper.", "Claims that {t} had {pp} were not borne out.", "The supposed {last} {t} was a mirage.", "Talk of {n} {t} was a false alarm.",
         "{Then} {t} has been stopped in its tracks.", "{Then} {t} was nipped in the bud.", "{Then} {t} has given way to the opposite.", "The \"{last} {t}\" that some had feared did not occur.", "Gone are the days when {t} kept {g}.", "The days of {then} {t} are over.", "{T} {has} not so much as begun to {v}.", "{T} did not {v} in the slightest{when}.", "{T} came no nearer to {g}{when}.", "It was wrong to speak of {n} {t}, for there was none.", "{T} did everything except {v}{when}.", "Many waited for {t} to {v}, but nothing of the sort happened.", "There was a complete lack of any {last} {t}{when}.", "There is a dearth of evidence that {t} {is} {g}.", "The momentum behind {then} {t} has evaporated.", "{Then} {t} was undone within weeks.", "The wait for {n} {t} goes on.", "The wait for {t} to {v} has been fruitless.", "{Then} {t} has all but vanished.", "{T} could not be made to {v}{when}.", "Nothing could induce {t} to {v}.", "Too much stands in the way of {n} {t}.", "{T} {is} anything but {g}.", "{T} {was} hindered from {g}{when}.", "A stop was put to {then} {t}{when}.", "There is no {last} {t} worth speaking of.", "The latest figures gave the lie to reports of {n} {t}.",
         "We searched the data for {n} {t} and found none.", "{T} {has} lost the tendency to {v}.", "{Then} {t} proved no more than a blip.", "{Then} {t} was a flash in the pan."),
        ("{T} {has} still not {pp}.", "{Then} {t} petered out{when}.", "{T} did not {v} after all{when}.", "Hopes that {t} would soon {v} were disappointed."),
    ),
)

# Where a company acts: what it did not bring about.
WE_FAIL = Turn(
    same=Frames(
        ("Nothing kept us from {g} {t}{when}.", "We did not stop {g} {t}{when}.", "We have not stopped {g} {t}.", "We did not fail to {v} {t}{when}.", "It was not hard to {v} {t}{when}.", "We kept on {g} {t}{when}.", "We never stopped {g} {t}.", "We succeeded in our plan to {v} {t}.", "Not once did we fail to {v} {t}.", "There was nothing to hinder us in {g} {t}.",
         "We tried to {v} {t}, and it worked.", "Our efforts to {v} {t} paid off.", "We found a way to {v} {t}.", "Despite the odds, we {past} {t}.", "We were able to {v} {t}{when}.", "It did not take us long to {v} {t}.", "Little could keep us from {g} {t}.",
         "We managed to {v} {t}{when}.", "We have been able to {v} {t}.", "It proved possible to {v} {t}{when}.", "Our plan to {v} {t} worked out.", "We met our target to {v} {t}.", "We had hoped to {v} {t}, and we did.", "It was in our power to {v} {t}.",
         "We have so far never failed to {v} {t}.", "We were quick to {v} {t}{when}.", "We are now able to {v} {t}.", "It is proving easy to {v} {t}.", "We delivered on our promise to {v} {t}.", "{T} {was} {pp} as we had planned.", "We did not have to put off {g} {t}.", "As promised, we {past} {t}.", "We have got better at {g} {t}.",
         "We brought ourselves to {v} {t}{when}.", "We did not fall short of our goal to {v} {t}.", "We were not to be thwarted in our attempt to {v} {t}.", "We did not lack the means to {v} {t}, and used them.", "For all the lack of time, we did {v} {t}.", "We did not wait in vain for a chance to {v} {t}.", "Our hopes of {g} {t} came true{when}.", "Our bid to {v} {t} did not fall through.", "Our programme to {v} {t} bore fruit{when}.", "Our drive to {v} {t} did not run into the sand.", "We made great headway in {g} {t}{when}.", "We did not shrink from {g} {t}.", "We did not balk at {g} {t}{when}.", "We did more than come close to {g} {t}.", "How far did we get in {g} {t}? Very far.", "Did we {v} {t} as promised? We did.", "We did not rest until we had {pp} {t}.", "We were nothing if not successful in {g} {t}.", "It was not beyond us to {v} {t}{when}.", "We did not let slip the chance to {v} {t}.", "We did not back out of {g} {t}.", "We did not bury our plan to {v} {t} but carried it out.", "Success in {g} {t} did not elude us{when}.", "All our work to {v} {t} was not for nothing.", "We are much nearer to {g} {t} than a year ago.", "We completed our project to {v} {t}.",
         "{T} should have been {pp} by us, and {was}.", "The task of {g} {t} did not defeat us.", "It is no secret that we have {pp} {t}.", "Nothing got in the way of our plan to {v} {t}."),
        ("We are far from done with {g} {t}.", "Nothing stood in the way of {g} {t}{when}."),
    ),
    turned=Frames(
        ("We failed to {v} {t}{when}.", "We were unable to {v} {t}{when}.", "We have yet to {v} {t}.", "We did not manage to {v} {t}{when}.", "We have not been able to {v} {t}.", "It proved impossible to {v} {t}{when}.", "Our plan to {v} {t} did not work out.", "We struggled to {v} {t}{when}.", "We missed our target to {v} {t}.", "We did not {v} {t} this time.", "We had hoped to {v} {t}, but could not.", "We gave up trying to {v} {t}.", "Nothing that we tried could {v} {t}.", "We are still waiting to {v} {t}.",
         "It was not in our power to {v} {t}.", "We tried to {v} {t}, without success.", "Our attempts to {v} {t} came to nothing.", "Despite our efforts, we did not {v} {t}.", "We are nowhere near {g} {t}.", "We stopped short of {g} {t}.", "We were prevented from {g} {t}{when}.", "We found no way to {v} {t}.", "We had to abandon our plan to {v} {t}.", "Efforts to {v} {t} have not paid off.",
         "We have so far failed to {v} {t}.", "We were too slow to {v} {t}{when}.", "We are not yet able to {v} {t}.", "It is proving difficult to {v} {t}.", "We did not deliver on our promise to {v} {t}.", "{T} {was} not {pp} as we had planned.", "We had to put off {g} {t}.", "Try as we might, we did not {v} {t}.", "We did not get around to {g} {t}{when}.", "We broke our promise to {v} {t}.",
         "We could not bring ourselves to {v} {t}{when}.", "We were thwarted in our attempt to {v} {t}.", "We lacked the means to {v} {t}{when}.", "For lack of time, we did not {v} {t}.", "We waited in vain for a chance to {v} {t}.", "Our hopes of {g} {t} were dashed{when}.", "Our bid to {v} {t} fell through{when}.", "Our programme to {v} {t} bore no fruit{when}.", "Our drive to {v} {t} ran into the sand.", "We made no headway in {g} {t}{when}.", "We shrank from {g} {t}.", "We balked at {g} {t}{when}.", "We did no more than come close to {g} {t}.", "How far did we get in {g} {t}? Nowhere.", "Did we {v} {t} as promised? We did not.", "We did everything except {v} {t}.", "We were anything but successful in {g} {t}.", "It was beyond us to {v} {t}{when}.", "We let slip the chance to {v} {t}.", "We backed out of {g} {t}.", "We had to bury our plan to {v} {t}.", "Success in {g} {t} eluded us{when}.", "All our work to {v} {t} was for nothing.", "We are no nearer to {g} {t} than a year ago.", "We shelved our project to {v} {t}.", "{T} should have been {pp} by us, but {was} not.", "The task of {g} {t} defeated us.", "It is no secret that we have not {pp} {t}.", "Nothing came of our plan to {v} {t}."),
        ("We fell short of our aim to {v} {t}.", "We could not {v} {t}{when}."),
    ),
)

RULES_OUT = Turn(
    same=Frames(
        ("{A} saw no reason not to {v} {t}.", "This was not the last {last} {t}.", "Nothing speaks against {g} {t}{when_ahead}.", "{A} did not hesitate to {v} {t}.", "{A} {is} not finished with {g} {t}.", "{A} will not hesitate to {v} {t} again.", "It is not too early to {v} {t}.", "{A} did not rule out {n} {t}{when_ahead}.",
         "Some would have preferred to {v} {t} at once.", "There is no time to lose in {g} {t}.", "This will hardly be the last {last} {t}.", "More than one further {last} {t} is likely.", "{A} could see no objection to {g} {t}.", "There is still room to {v} {t}.", "{A} kept the door open to {n} {t}.", "It would be wrong not to {v} {t}.", "{A} could not wait any longer to {v} {t}.", "Nobody objected to {g} {t}.", "{A} rejected the proposal not to {v} {t}.", "It is not enough to {v} {t} once.", "{A} will not be deterred from {g} {t}.", "{A} would rather {v} {t} today than tomorrow.", "{N} {t} remains on the table.",
         "It would be irresponsible not to {v} {t}.", "The case for {g} {t} is compelling.", "{A} will not shy away from {g} {t}.", "The door to {n} {t} is not closed.", "There is more to come after this {last} {t}.", "{N} {t} cannot be excluded.", "{A} would have liked to {v} {t} sooner.", "It was high time to {v} {t}.", "It would be negligent to put off {g} {t}.", "Another {last} {t} cannot be avoided.", "{A} {is} prepared to {v} {t} again{when_ahead}.", "It was only the first {last} {t}.", "{A} regretted not having {pp} {t} earlier.", "Few doubted that it was right to {v} {t}.", "There is no way around {g} {t}.", "A motion against {g} {t} was voted down.", "Those who spoke against {g} {t} found no support.",
         "{A} saw every reason to {v} {t}{when_ahead}.", "{A} gave in to calls to {v} {t}.", "It is not a moment too early to {v} {t}.", "There is a need to {v} {t} further.", "{N} {t} is on the agenda.", "The time to {v} {t} has come.", "There is ample room to {v} {t}{when_ahead}.", "A further {last} {t} will be needed.", "{A} {was} convinced that it was necessary to {v} {t}.", "It would be timely to {v} {t}.", "{A} {has} plans to {v} {t}.", "{N} {t} is needed.", "Conditions for {g} {t} are in place.", "{A} yielded to pressure to {v} {t}.", "{A} put {n} {t} on the table.", "A proposal to {v} {t} was adopted.", "The suggestion to {v} {t} found broad support.", "{A} {was} persuaded by the arguments for {g} {t}.", "This is the moment to {v} {t}.", "There are good grounds for {g} {t}.",
         "{A} voted for {g} {t}.", "{A} supported {n} {t}.", "{A} {is} eager to {v} {t}.", "{A} cannot afford to wait before {g} {t}.", "{A} cautioned that not {g} {t} would be risky.", "There was broad support for {g} {t}.", "Every member voted to {v} {t}.", "All members favoured {g} {t}.", "Only one member voted against {g} {t}.", "Nobody argued against {g} {t}.", "{A} {past} {t} as markets had expected.", "Plans to {v} {t} were approved.", "Plans for {n} {t} have been brought forward.", "{A} {is} considering {n} {t}.", "{A} {is} thinking about {g} {t}.", "It is now appropriate to {v} {t}.", "{A} judged that {n} {t} was warranted.", "{A} judged {n} {t} appropriate at this stage.", "The hurdle for {g} {t} is very low.", "The bar for {n} {t} is low.", "{N} {t} would not come too soon.", "{A} should not wait to {v} {t}.", "{A} must {v} {t} without delay.", "There is great urgency to {v} {t}.", "{N} {t} has become more pressing.", "{A} argued for {n} {t}.", "{A} spoke out in favour of {g} {t}.", "{A} brought forward {n} {t}.", "{A} did not delay {g} {t}.", "{A} preferred to {v} {t}.", "{A} thought it appropriate to {v} {t}.", "{A} did not want to wait before {g} {t}.", "Those who had wanted to {v} {t} were in the majority.", "{A} encouraged expectations that {t} would soon be {pp}.", "Markets now expect that {a} will {v} {t}.", "{A} agreed with those who wanted to {v} {t}.",
         "{A} {was} by no means loath to {v} {t}.", "{A} did not balk at {g} {t}.", "{A} did not recoil from {g} {t}.", "{A} {has} not lost the appetite for {g} {t}.", "{N} {t} is not off the table.", "The question is no longer whether to {v} {t} but when.", "{A} did not regard {g} {t} as a closed chapter.", "{A} warmed to the idea of {g} {t}.", "{A} gave a warm welcome to calls for {n} {t}.", "{A} did not dismiss {n} {t} out of hand.", "{A} did not draw the line at {g} {t}.", "{A} could think of nothing better than {g} {t}.", "{A} could see much to be gained from {g} {t}.", "{A} saw nothing wrong with {g} {t}.", "{A} had every intention of {g} {t}.", "{A} would be the first to {v} {t}.", "{A} did not close the door on {n} {t}.", "{A} did not abandon the idea of {g} {t}.", "{A} stood by the promise to {v} {t}.", "{A} talked up the prospect of {n} {t}.", "Why not {v} {t} at once, {a} asked.", "Who would not want to {v} {t} now?", "What harm would it do to {v} {t}? None, {a} said.", "What would be the point of not {g} {t}? {A} saw none.", "Is there a case for {g} {t}? {A} said yes.", "There was no question but that {a} would {v} {t}.", "There is no lack of support for {g} {t}.",
         "{A} did not lack reasons to {v} {t}.", "{A} saw no dearth of arguments for {g} {t}.", "Nothing argues against {g} {t} at present.", "Nothing stands in the way of {g} {t}.", "Much speaks for {g} {t} at this juncture.", "{A} {was} not to be talked out of {g} {t}.", "{A} did not let the chance to {v} {t} pass.", "{A} seized the opportunity to {v} {t}.", "{A} no longer held off from {g} {t}.", "{A} did not hold fire on {n} {t}.", "{A} hesitated to {v} {t} but in the end did so.", "Calls to {v} {t} did not fall on deaf ears.", "Those who hoped that {a} would {v} {t} did not hope in vain.", "Those who bet on {n} {t} will not be disappointed.", "{A} would rather {v} {t} than do nothing.", "Better to {v} {t} than to sit still, {a} argued.", "The benefits of {g} {t} outweigh the costs.", "The risks of {g} {t} were smaller than those of doing nothing.", "{N} {t} is just what is needed.", "{N} {t} is very much an option.", "{N} {t} would be no mistake.", "{N} {t} has never been ruled out.", "{N} {t} is being seriously contemplated.", "{A} refused to call a halt to {g} {t}.", "{A} {was} in no way against {g} {t}.", "{A} {has} not come to the end of the road in {g} {t}.",
         "{A} {has} not sworn off {g} {t}.", "{A} {is} not averse to {g} {t}.", "{A} could not be kept from {g} {t}.", "{A} found it hard to justify not {g} {t}.", "{A} could not but agree to {v} {t}.", "{A} endorsed {n} {t}.", "{A} made it clear that {n} {t} was to be expected.",
         "{A} refused to rule out {n} {t}{when_ahead}.", "Conditions for {g} {t} are now in place.", "Members did not judge it inappropriate to {v} {t}, and did so.", "{A} saw no need to wait before deciding to {v} {t}{when}.", "Under most circumstances {a} will {v} {t}{when_ahead}.", "At no point did {a} consider not {g} {t}.", "Not once but twice did {a} {v} {t}{when}.", "The motion to {v} {t} was not defeated.", "A minority did not want to {v} {t} but was outvoted.", "Two members voted not to {v} {t}; the majority rejected their objection.", "The proposal to {v} {t} did not fail to win a majority.", "{A} declined to postpone {n} {t}.",
         "{N} {t} will not be put off indefinitely.", "{A} did not shelve plans to {v} {t}.", "{A} never abandoned the idea of {g} {t}.", "{A} did not drop {n} {t} from the plans.", "{A} {is} no longer merely considering {n} {t} but preparing it.", "Might {a} rule out {n} {t} soon? No.", "Will {a} stop {g} {t}{when_ahead}? The answer was a clear no.", "Is there a case against {g} {t}? There is none.", "Could {t} be {pp}{when_ahead}? Yes, on present evidence, according to the minutes.", "\"There will be no delay to the {last} {t}{when_ahead},\" the chair said.", "Asked about {n} {t}, the governor replied: \"It is not out of the question.\"", "The governor said that {n} {t} was anything but out of the question.", "{A} will not fail to {v} {t}{when_ahead}.",
         "{T} will not be left unchanged but {pp}{when_ahead}.", "{T} still needed to be {pp}, the board concluded.", "{A} {was} not against {g} {t}.", "{A} did not oppose {n} {t}, and the move came.", "{A} could not resist calls to {v} {t}.", "{A} rejected pressure not to {v} {t}.", "{A} did not dismiss talk of {n} {t}.", "{A} did not deny that {n} {t} was being prepared.", "{A} did not push back against expectations of {n} {t}.", "Market hopes for {n} {t} were not disappointed.", "Contrary to expectations of a pause, {a} did {v} {t}.", "{A} did not stop short of {g} {t}.", "{A} did not refrain from {g} {t}{when}.", "{A} did not hold back from {n} {t}.", "{A} decided against further delay and {past} {t}{when}.",
         "{A} chose not to wait and {past} {t}.", "{A} voted, though not unanimously, to {v} {t}.", "Nobody on the board argued against {n} {t}, which was adopted.", "No member objected to {g} {t}.", "None of the members doubted the merit of {g} {t}.", "Few saw a case against {n} {t}, and it was adopted.", "The arguments against {g} {t} did not convince the committee.", "The committee was not persuaded that it should refuse to {v} {t}.", "The bar for {g} {t} is not high and has been met.", "The criteria for {n} {t} have at last been satisfied.", "The moment for {n} {t} has not passed.", "The case for {n} {t} has not disappeared.", "There is still room to {v} {t}{when_ahead}.", "There is no longer any obstacle to {g} {t}.", "There is every prospect of {n} {t}{when_ahead}.", "{N} {t} is not unlikely{when_ahead}.",
         "It is hard to see how {a} could avoid {g} {t}{when_ahead}.", "It would be wrong to put off {g} {t} now.", "To {v} {t} would do more good than harm, the board held.", "The risks of waiting outweighed those of {g} {t} too early, so the step was taken.", "{A} {was} not unwilling to {v} {t}.", "{A} {was} reluctant to {v} {t} but did.", "{A} {was} prepared to {v} {t}{when_ahead}.", "{A} {has} no intention of giving up {g} {t}.", "{A} {is} in a hurry to {v} {t}.", "{A} cannot afford to be patient before {g} {t}.", "Had inflation surprised, {a} would not have {pp} {t}; it did not, and the move was made.", "If the outlook had changed, {a} would not have {pp} {t}, but it stayed the same and the step was taken.", "{A} would {v} {t} if the forecast were missed, and it was.", "Unless the data changed, {a} would {v} {t}; the data did not change.", "{N} {t} had been conditional on the new projections, which gave full support to it.", "Although some had warned against {g} {t}, the decision was to go ahead.",
         "Despite earlier doubts, {a} did {v} {t}{when}.", "{A} had signalled {n} {t} and did not back away from it.", "{A} did not reverse the decision to {v} {t}.", "{A} did not withdraw the announced {last} {t}.", "The planned {last} {t} was not cancelled.", "The expected {last} {t} did not fail to materialise.", "The long-awaited {last} {t} did come.", "After the latest {last} {t}, a further step will follow.", "{A} did not pause after {g} {t} and meant to continue.", "{A} never ceased to see {n} {t} as necessary.", "{A} considered whether to {v} {t} and concluded that it was not unwarranted.", "Members discussed {n} {t} and did not set the option aside.", "The option of not {g} {t} was discussed and discarded.",
         "It was noted that not {g} {t} was unwarranted at this juncture.", "Rather than leave policy alone, {a} {past} {t}.", "Instead of doing nothing, as many had predicted, {a} {past} {t}.", "Neither the staff nor the board spoke against {g} {t}.", "Those who warned against {g} {t} lost the vote.", "Calls for {n} {t} did not go unheeded{when}."),
        ("{A} {is} far from done with {g} {t}.", "In the view of all, this would not be the last {last} {t}.", "It cannot be ruled out that {a} will {v} {t}.", "One member would rather have {pp} {t} today."),
    ),
    turned=Frames(
        ("{A} saw no reason to {v} {t}{when_ahead}.", "{A} ruled out {n} {t}{when_ahead}.", "{A} rejected calls to {v} {t}.", "It is too early to {v} {t}.", "There is no need to {v} {t} any further.", "{N} {t} is not on the agenda.", "{A} warned against {g} {t} too soon.", "The time to {v} {t} has not come.", "This was probably the last {last} {t}.",
         "{A} saw no case for {g} {t}.", "There is little room to {v} {t}{when_ahead}.", "No further {last} {t} will be needed.", "{A} will not {v} {t} any further.", "{A} {is} done with {g} {t}.", "{A} {was} not convinced that it was necessary to {v} {t}.", "{N} {t} is out of the question.", "Nobody proposed to {v} {t}.", "It would be premature to {v} {t}.", "{A} {has} no plans to {v} {t}.", "{N} {t} is not needed.", "There can be no talk of {g} {t}.", "{A} resisted pressure to {v} {t}.", "Conditions for {g} {t} are not in place.", "{A} took {n} {t} off the table.",
         "It would be unwise to {v} {t}.", "A proposal to {v} {t} was voted down.", "The suggestion to {v} {t} found no support.", "Demands to {v} {t} went unheeded.", "{A} turned a deaf ear to those who wanted to {v} {t}.", "{A} will not be pushed into {g} {t}.", "{A} shied away from {g} {t}.", "There are no grounds for {g} {t}.", "{A} refrained from {g} {t}.", "{A} decided against {g} {t}.", "{A} stopped short of {g} {t}.", "The cycle of {g} {t} is over.", "After this {last} {t} no other is to come.", "{A} put off {g} {t}.", "{N} {t} was shelved.", "{N} {t} would do more harm than good.", "{A} {is} under no obligation to {v} {t}.", "{A} {was} not persuaded by the arguments for {g} {t}.", "{A} advised against {g} {t}.", "It is not the moment to {v} {t}.", "{A} would not hear of {g} {t}.", "It would be harmful to {v} {t}.", "{A} argued that it would be reckless to {v} {t}.",
         "{A} voted against {g} {t}.", "{A} opposed {n} {t}.", "{A} {is} in no hurry to {v} {t}.", "{A} can afford to wait before {g} {t}.", "{A} cautioned that {g} {t} would be risky.", "There was no support for {g} {t}.", "No member voted to {v} {t}.", "Not one member favoured {g} {t}.", "Only one member voted for {g} {t}.", "Nobody argued for {g} {t}.", "{A} did not {v} {t} as markets had expected.", "Plans to {v} {t} were dropped.", "Plans for {n} {t} have been put on hold.", "{A} {is} not considering {n} {t}.", "{A} {is} not thinking about {g} {t}.", "It is not yet appropriate to {v} {t}.", "{A} judged that {n} {t} was not warranted.", "{A} judged {n} {t} inappropriate at this stage.", "The hurdle for {g} {t} is very high.", "The bar for {n} {t} is high.", "{N} {t} would come too soon.", "{A} should not rush to {v} {t}.", "{A} need not {v} {t} at present.", "There is no urgency to {v} {t}.", "{N} {t} has become less pressing.", "{A} argued against {n} {t}.", "{A} spoke out against {g} {t}.", "{A} postponed {n} {t}.", "{A} delayed {g} {t}.", "{A} preferred not to {v} {t}.", "{A} did not think it appropriate to {v} {t}.", "{A} wanted to wait before {g} {t}.", "Those who had wanted to {v} {t} were in the minority.", "{A} pushed back against expectations that {t} would soon be {pp}.", "Markets no longer expect that {a} will {v} {t}.", "{A} disagreed with those who wanted to {v} {t}.", "{A} {has} refused to {v} {t}.", "{A} declined to {v} {t}.",
         "{A} {was} loath to {v} {t}.", "{A} balked at {g} {t}.", "{A} recoiled from {g} {t}.", "{A} {has} no appetite for {g} {t}.", "{N} {t} is off the table.", "The question of whether to {v} {t} does not even arise.", "{A} regarded {g} {t} as a closed chapter.", "{A} poured cold water on the idea of {g} {t}.", "{A} gave short shrift to calls for {n} {t}.", "{A} dismissed {n} {t} out of hand.", "{A} drew the line at {g} {t}.", "{A} thought better of {g} {t}.", "{A} could see nothing to be gained from {g} {t}.", "{A} saw nothing in favour of {g} {t}.", "{A} had no intention of {g} {t}.", "{A} would be the last to {v} {t}.", "{A} closed the door on {n} {t}.", "{A} abandoned the idea of {g} {t}.", "{A} went back on the promise to {v} {t}.", "{A} talked down the prospect of {n} {t}.", "Why {v} {t}, {a} asked, when there was no need for it?", "Who would want to {v} {t} now? Nobody.", "What good would it do to {v} {t}? None, {a} said.", "What would be the point of {g} {t}? {A} saw none.", "Is there a case for {g} {t}? {A} said no.", "There was no question of {g} {t}.", "There is a lack of support for {g} {t}.", "{A} lacked any reason to {v} {t}.", "{A} saw a dearth of arguments for {g} {t}.",
         "Nothing argues for {g} {t} at present.", "Too much stands in the way of {g} {t}.", "Much speaks against {g} {t} at this juncture.", "{A} {was} talked out of {g} {t}.", "{A} let the chance to {v} {t} pass.", "{A} passed up the opportunity to {v} {t}.", "{A} held off from {g} {t}.", "{A} held fire on {n} {t}.", "{A} hesitated to {v} {t} and in the end left things as they were.", "Calls to {v} {t} fell on deaf ears.", "Those who hoped that {a} would {v} {t} hoped in vain.", "Those who bet on {n} {t} will be disappointed.", "{A} would rather do nothing than {v} {t}.", "Better to sit still than to {v} {t}, {a} argued.", "The costs of {g} {t} outweigh the benefits.", "The risks of {g} {t} were greater than those of doing nothing.", "{N} {t} is the last thing that is needed.", "{N} {t} is not an option.", "{N} {t} would be a mistake.", "{N} {t} has been ruled out for good.", "{N} {t} was never seriously contemplated.", "{A} called a halt to {g} {t}.", "{A} {was} in no way in favour of {g} {t}.", "{A} {has} come to the end of the road in {g} {t}.", "{A} {has} sworn off {g} {t}.", "{A} {is} averse to {g} {t}.", "{A} could not be brought to {v} {t}.", "{A} found it hard to justify {g} {t}.",
         "{A} could not agree to {v} {t}.", "{A} vetoed {n} {t}.", "{A} made it clear that {n} {t} was not to be expected.",
         "Members judged it inappropriate to {v} {t}.", "{A} saw no reason to {v} {t}.", "{A} hesitated to {v} {t} and in the end left everything as it was.", "Under no circumstances will {a} {v} {t}{when_ahead}.", "At no point did {a} consider {g} {t}.", "Not once did {a} {v} {t}{when}.", "The motion to {v} {t} was defeated.", "A minority wanted to {v} {t} but was outvoted.", "Two members voted to {v} {t}; the majority rejected the proposal.", "The proposal to {v} {t} failed to win a majority.", "{N} {t} would be premature.", "It is too soon to think about {g} {t}.", "{N} {t} has been put off indefinitely.",
         "{A} shelved plans to {v} {t}.", "{A} dropped {n} {t} from the plans.", "{A} no longer planned to {v} {t}.", "{A} {is} no longer considering {n} {t}.", "Might {a} {v} {t} soon? No.", "Will {a} {v} {t}{when_ahead}? The answer was a clear no.", "Is there a case for {g} {t}? There is none.", "Could {t} be {pp}{when_ahead}? Not on present evidence, according to the minutes.", "\"There will be no {last} {t}{when_ahead},\" the chair said.", "Asked about {n} {t}, the governor replied: \"Out of the question.\"", "The governor said that {n} {t} was out of the question.", "{A} will not {v} {t}{when_ahead}.", "{T} will not be {pp}{when_ahead}.", "{T} should not be {pp} any further, members agreed.",
         "{T} did not need to be {pp}, the board concluded.", "{A} {was} against {g} {t}.", "{A} opposed {n} {t}, and the move did not come.", "{A} resisted calls to {v} {t}.", "{A} rejected pressure to {v} {t}.", "{A} dismissed talk of {n} {t}.", "{A} denied that {n} {t} was being prepared.", "{A} pushed back against expectations of {n} {t}.", "Market hopes for {n} {t} were disappointed.", "Contrary to expectations, {a} did not {v} {t}.", "{A} held back from {n} {t}.", "{A} decided against {n} {t}{when}.", "{A} chose not to {v} {t}.", "{A} voted unanimously not to {v} {t}.", "Nobody on the board argued for {n} {t}.",
         "No member supported {g} {t}.", "None of the members saw merit in {g} {t}.", "Few saw a case for {n} {t}, and it was not adopted.", "The arguments for {g} {t} did not convince the committee.", "The committee was not persuaded that it should {v} {t}.", "The bar for {g} {t} is very high and has not been met.", "The criteria for {n} {t} have not been satisfied.", "The moment for {n} {t} has passed.", "The case for {n} {t} has disappeared.", "There is no room to {v} {t}{when_ahead}.", "There is no longer any scope for {g} {t}.", "There is no prospect of {n} {t}{when_ahead}.", "{N} {t} is unlikely{when_ahead}.", "It is hard to see how {a} could {v} {t}{when_ahead}.", "It would be wrong to {v} {t} now.", "To {v} {t} would do more harm than good, the board held.",
         "The risks of {g} {t} too early outweighed those of waiting, so nothing was done.", "{A} {was} unwilling to {v} {t}.", "{A} {was} reluctant to {v} {t} and did not.", "{A} {was} not prepared to {v} {t}{when_ahead}.", "{A} {has} no intention of {g} {t}.", "{A} can afford to be patient before {g} {t}.", "Had inflation surprised, {a} would have {pp} {t}; it did not.", "If the outlook had changed, {a} would have {pp} {t}, but it stayed the same.", "{A} would {v} {t} only if the forecast were missed, and it was not.", "Unless the data changed, {a} would not {v} {t}; the data did not change.", "{N} {t} had been conditional on the new projections, which gave no support to it.", "Although some had called for {g} {t}, the decision was to stand pat.", "Despite earlier hints, {a} did not {v} {t}{when}.", "{A} had signalled {n} {t} but backed away from it.", "{A} reversed the decision to {v} {t}.", "{A} withdrew the announced {last} {t}.",
         "The planned {last} {t} was cancelled.", "The expected {last} {t} failed to materialise.", "The long-awaited {last} {t} did not come.", "After the latest {last} {t}, no further step will follow.", "{A} paused after {g} {t} and had no wish to resume.", "{A} ceased to see {n} {t} as necessary.", "{A} considered whether to {v} {t} but concluded that it was unwarranted.", "Members discussed {n} {t} and set the option aside.", "The option of {g} {t} was discussed and discarded.", "It was noted that {g} {t} was not warranted at this juncture.", "Rather than {v} {t}, {a} left policy alone.", "Instead of {g} {t}, as many had predicted, {a} did nothing.", "Neither the staff nor the board favoured {g} {t}.",
         "By no means does the forecast call for {n} {t}.", "Those who warned against {g} {t} carried the day.", "Calls for {n} {t} went unheeded{when}."),
        ("{A} found nothing that would justify {g} {t}.", "Calls to {v} {t} were dismissed.", "It would be a mistake to {v} {t} now.", "In the view of all, this would be the last {last} {t}."),
    ),
)
# What is only the last of several can be counted.
COUNTED = ("an increase in", "a rise in", "a hike in", "a cut in", "a reduction in", "a decrease in", "an expansion of", "an extension of", "a fall in", "a drop in", "a decline in", "a jump in")


def that_fit(frames: tuple[str, ...], n: str) -> tuple[str, ...]:
    """Without those that speak of the last or of one of several, where `n` cannot be counted."""
    return tuple(f for f in frames if "{last}" not in f or n in COUNTED)


# What a bank does, and a second movement: `t2` with its direction word as `v2`, `past2` and so on. What is done decides; the second one calls for it (`same`) or for the opposite (`turned`).
CONDITION = Turn(
    same=Frames(
        ("Should {t2} {v2} further, {a} will {v} {t}.", "If {t2} {past2} again, {a} would {v} {t}.", "{A} stood ready to {v} {t} if {t2} should {v2}.", "{A} will {v} {t} once {t2} {has2} {pp2}.", "If {t2} should {v2} more than expected, {a} would not hesitate to {v} {t}.", "With {n2} {t2} in view, {a} decided to {v} {t}.", "Given that {t2} {has2} {pp2}, {a} will {v} {t}.", "When {t2} {past2}, {a} responded by {g} {t}.", "{A} promised to {v} {t} as soon as {t2} {past2}.", "Provided that {t2} {has2} {pp2} by then, {a} will {v} {t}.", "If {t2} {past2} for longer, {a} would have to {v} {t}."),
        ("In the event that {t2} should {v2}, {a} would {v} {t}.", "Were {t2} to {v2}, {a} would {v} {t}."),
    ),
    turned=Frames(
        ("Should {t2} refuse to {v2}, {a} will {v} {t}.", "Should {t2} fail to {v2}, {a} will {v} {t} again.", "Unless {t2} {past2}, {a} would {v} {t}.", "{A} will go on {g} {t} until {t2} {has2} {pp2}.", "If {t2} did not {v2}, {a} would have to {v} {t}.", "Until {t2} {has2} {pp2}, {a} will continue to {v} {t}.", "As {t2} {has2} yet to {v2}, {a} decided to {v} {t}.", "If {t2} {has2} not {pp2} by then, {a} will {v} {t}.", "{A} kept {g} {t} because {t2} had failed to {v2}.", "Since {t2} had not {pp2}, {a} {past} {t}.", "{A} will {v} {t} again and again until {t2} {has2} {pp2}.", "Not until {t2} {has2} {pp2} will {a} stop {g} {t}."),
        ("For as long as {t2} {has2} not {pp2}, {a} will be {g} {t}.", "If there is no sign that {t2} might {v2}, {a} will {v} {t}."),
    ),
)
# Here it is not done until what calls for it has come.
NOT_BEFORE = Frames(
    ("{A} will not {v} {t} until {t2} {has2} {pp2}.", "{A} will not {v} {t} before {t2} {has2} {pp2}.", "It would be too early to {v} {t} before {t2} {has2} {pp2}.", "Unless {t2} {past2}, {a} would not {v} {t}.", "{A} will wait with {g} {t} until {t2} {has2} {pp2}.", "As long as {t2} {has2} not {pp2}, there is no reason to {v} {t}.", "Nothing will be done to {v} {t} until {t2} {has2} {pp2}."),
    ("No step to {v} {t} is envisaged before {t2} {has2} {pp2}.", "As {t2} {has2} yet to {v2}, {a} saw no reason to {v} {t}."),
)
# What speaks for it and what against: it is done all the same.
CONCESSION = Frames(
    ("Although {t2} {past2}{when}, {a} decided to {v} {t}.", "{T2} {past2}{when}, but {a} still {past} {t}.", "Despite {n2} {t2}, {a} {past} {t}.", "{A} {past} {t} even though {t2} had {pp2}.", "{A} {past} {t}, since {t2} had {pp2}.", "While {t2} {past2}, {a} agreed to {v} {t}.", "{T2} {past2}{when}, and {a} {past} {t}.", "In spite of {n2} {t2}, it was decided to {v} {t}.", "{A} {past} {t}, for {t2} had {pp2}.", "{A} {past} {t}, although {t2} had {pp2}.", "{T2} {has2} {pp2}{when}; {a} will {v} {t} nonetheless.", "Regardless of {n2} {t2}, {a} {past} {t}.", "In response to {n2} {t2}, {a} {past} {t}.", "{T2} {past2}, so {a} {past} {t}.", "Because {t2} had {pp2}, {a} {past} {t}.",
         "Notwithstanding {n2} {t2}, {a} {past} {t}.", "Much as {t2} had {pp2}, {a} {past} {t}.", "Undeterred by {n2} {t2}, {a} {past} {t}.", "Unimpressed by {n2} {t2}, {a} chose to {v} {t}.", "Not even {n2} {t2} could delay the decision to {v} {t}.", "{A} looked through {n2} {t2} and {past} {t}.", "{A} {past} {t} in the face of {n2} {t2}.", "{A} {past} {t} against a background of {n2} {t2}.", "{A} {past} {t}, notwithstanding the fact that {t2} had {pp2}.", "{T2} {past2}{when}, yet {a} {past} {t}.", "{T2} {past2}; even so, {a} {past} {t}.", "{T2} {past2}{when}; {a} {past} {t} all the same.", "That {t2} had {pp2} was no obstacle to the decision to {v} {t}.", "For all that {t2} had {pp2}, {a} {past} {t}.", "Granted, {t2} {past2}{when}, but {a} {past} {t}.", "It is true that {t2} {past2}, but {a} saw fit to {v} {t}.", "Whereas {t2} had {pp2}, {a} {past} {t}.", "Prompted by {n2} {t2}, {a} {past} {t}.", "Seeing that {t2} had {pp2}, {a} {past} {t}.", "{A} took {n2} {t2} as grounds to {v} {t}.", "{A} answered {n2} {t2} by deciding to {v} {t}.", "Now that {t2} {has2} {pp2}, {a} will {v} {t}.", "{T2} {past2}{when}, for which reason {a} {past} {t}.", "Hardly had {t2} {pp2} when {a} {past} {t}.",
         "No sooner had {t2} {pp2} than {a} {past} {t}.", "Irrespective of {n2} {t2}, {a} {past} {t}.", "{A} {past} {t}, no matter that {t2} had {pp2}.", "With {t2} having {pp2}, {a} {past} {t}.", "{A} made little of {n2} {t2} and {past} {t}.", "Faced with {n2} {t2}, {a} had no choice but to {v} {t}."),
    ("{T2} had {pp2}; nevertheless {a} {past} {t}.", "Notwithstanding {n2} {t2}, {a} chose to {v} {t}.", "Even as {t2} {past2}, {a} {past} {t}."),
)

# Two movements, neither of them done by anybody.
BOTH = Frames(
    ("{T} {past} and {t2} {past2}{when}.", "While {t} {past}, {t2} {past2}.", "{T} {past}, {t2} {past2}.", "{T} {past}{when}, and {t2} {past2} as well.", "{T} {has} {pp} and {t2} {has2} {pp2}.", "{When} {t} {past} and {t2} {past2}.", "As {t} {past}, {t2} {past2}.", "{N} {t} and {n2} {t2} were reported{when}.", "{T} {past}{when}; {t2} {past2}.", "{T} {past}, while {t2} {past2}.", "{T} {past}, but {t2} {past2}.", "Not only did {t} {v}, {t2} {past2} too.", "We note that {t} {past} and that {t2} {past2}.", "{T} {is} expected to {v}, and {t2} to {v2}.",
         "{T} {past}, whereas {t2} {past2}.", "{T} {has} {pp}, though {t2} {past2}.", "On the one hand {t} {past}, on the other {t2} {past2}.", "The period saw {n} {t} and {n2} {t2}.", "We had {n} {t} and {n2} {t2}{when}.", "Along with {n} {t} came {n2} {t2}.", "After {t} had {pp}, {t2} {past2}.", "Even though {t} {past}, {t2} {past2}.", "{N} {t} went hand in hand with {n2} {t2}.", "{N} {t} was accompanied by {n2} {t2}.", "Alongside {n2} {t2}, {t} {past}.", "Despite {n} {t}, {t2} {past2}.", "With {n} {t}, {t2} {past2}{when}.", "{T2} {past2}{when} although {t} {past}.", "We saw {t} {v} and {t2} {v2}.",
         "{T} {past} just as {t2} {past2}{when}.", "{N} {t} coincided with {n2} {t2}{when}.", "{T} {past} even as {t2} {past2}.", "{T} {past}, and at the same time {t2} {past2}{when}.", "It was a period in which {t} {past} and {t2} {past2}.", "{N} {t} was followed by {n2} {t2}{when}.", "{N} {t} came on top of {n2} {t2}.", "That {t} {past} is as certain as that {t2} {past2}.", "What we saw was {n} {t} together with {n2} {t2}.", "{T} did not {v} alone: {t2} {past2} too.", "{T} {past}; meanwhile, {t2} {past2}{when}.", "There was no doubt that {t} {past} and that {t2} {past2}.", "{N} {t} was no less visible than {n2} {t2}."),
    ("{T} {past}; at the same time {t2} {past2}.", "Both {n} {t} and {n2} {t2} were recorded{when}.", "{T} {past} in the same period in which {t2} {past2}."),
)
MIXED_SHARE = 0.34

# Risks of a rise or fall, which grow or recede.
RISKS = Turn(
    same=Frames(
        ("It has become more likely that {t} will {v}.", "The risk of {n} {t} has increased.", "{A} {was} more worried than before that {t} could {v}.", "There is a growing danger that {t} might {v}.", "The risk that {t} will {v} is considerable.", "The chances that {t} will {v} have risen.", "Concerns about {n} {t} have grown.", "{A} pointed to the risk that {t} could {v}.", "It is feared that {t} will {v}.", "Many expect {t} to {v}{when_ahead}.", "Signs are mounting that {t} will {v}.", "{T} could well {v}{when_ahead}.", "{N} {t} can no longer be ruled out.", "The odds of {n} {t} have shortened.",
         "The probability of {n} {t} has climbed.", "{A} considered {n} {t} probable.", "{A} saw a risk that {t} would {v}.", "It looks as if {t} will {v}.", "We believe that {t} will {v}{when_ahead}.", "{A} saw considerable danger of {n} {t}.", "{A} stressed the risk of {n} {t}.", "The threat of {n} {t} has become more acute.", "There is every reason to fear that {t} will {v}.", "Worries that {t} might {v} have multiplied.", "It would be surprising if {t} were not to {v}{when_ahead}.", "It would not be surprising if {t} were to {v}{when_ahead}.", "{N} {t} seems a likely prospect.", "{T} should {v}{when_ahead}.", "Forecasts now foresee {n} {t}.", "The projections include {n} {t}.", "Almost everyone expects {n} {t}.", "{A} did not play down the risk of {n} {t}.",
         "The risk of {n} {t} is not off the table.", "The spectre of {n} {t} has not been laid to rest.", "Fears of {n} {t} have proved well founded.", "{A} feared {n} {t} more than the opposite.", "{N} {t} is anything but unlikely.", "{N} {t} is far from being out of the question{when_ahead}.", "The danger of {n} {t} has not been averted.", "The danger of {n} {t} has by no means passed.", "{N} {t} could not be averted.", "{A} saw {n} {t} on the horizon.", "How likely is it that {t} will {v}? Very likely.", "Who would still deny that {t} will {v}?", "{A} put the chance of {n} {t} at close to one.", "The balance of risks has shifted towards {n} {t}.", "The risks now point to {n} {t}.", "{A} {was} increasingly alarmed at the prospect of {n} {t}.", "There is cause for alarm about {n} {t}.", "{A} gave much credence to forecasts of {n} {t}.", "{A} did not doubt that {t} would {v}.", "It is beyond doubt that {t} will {v}{when_ahead}.", "It is not hard to imagine that {t} will {v}.", "It is hard to see why {t} should not {v}.", "It would take a miracle for {t} not to {v}.", "It would not take much for {t} to {v}.", "There is no small prospect of {n} {t}.",
         "{A} saw no lack of reasons why {t} should {v}.", "The scenario of {n} {t} has gained in plausibility.", "{A} stood by the forecast of {n} {t}.", "{A} held fast to the view that {t} would {v}.", "It is too early for an all-clear, as {t} could {v} at any time.", "Safeguards against {n} {t} have not held.", "{T} {has} ample scope to {v}{when_ahead}.", "What is most to be expected is that {t} will {v}.", "Warnings of {n} {t} should not be disregarded.", "The talk is of little else than {n} {t}{when_ahead}."),
        ("There is now a greater chance that {t} will {v}.", "The danger that {t} might {v} has grown.", "Fears of {n} {t} have mounted."),
    ),
    turned=Frames(
        ("It has become less likely that {t} will {v}.", "The risk of {n} {t} has diminished.", "{A} {was} less worried than before that {t} could {v}.", "The danger that {t} might {v} has receded.", "There is little risk that {t} will {v}.", "The chances that {t} will {v} have fallen.", "Concerns about {n} {t} have abated.", "It is unlikely that {t} will {v}{when_ahead}.", "Few expect {t} to {v}{when_ahead}.", "Signs that {t} might {v} have all but disappeared.", "{N} {t} can be ruled out{when_ahead}.", "{T} {is} hardly likely to {v}.", "The odds of {n} {t} have lengthened.", "Nobody fears any longer that {t} might {v}.", "{T} {is} not expected to {v}{when_ahead}.", "We do not expect {t} to {v}{when_ahead}.",
         "The probability of {n} {t} has declined.", "{A} considered {n} {t} improbable.", "{A} no longer saw a risk that {t} would {v}.", "It does not look as if {t} will {v}.", "We do not believe that {t} will {v}{when_ahead}.", "{A} saw little danger of {n} {t}.", "{A} played down the risk of {n} {t}.", "The threat of {n} {t} has become less acute.", "There is no reason to fear that {t} will {v}.", "Worries that {t} might {v} have subsided.", "It would be surprising if {t} were to {v}{when_ahead}.", "{N} {t} seems a remote prospect.", "{T} should not {v}{when_ahead}.", "{T} will not {v}{when_ahead}.", "Forecasts no longer foresee {n} {t}.", "The projections do not include {n} {t}.", "Hardly anyone expects {n} {t}.",
         "The risk of {n} {t} is off the table.", "The spectre of {n} {t} has been laid to rest.", "Fears of {n} {t} have proved unfounded.", "{A} feared {n} {t} less than the opposite.", "{N} {t} is anything but likely.", "{N} {t} is as good as out of the question{when_ahead}.", "The danger of {n} {t} has been averted.", "The danger of {n} {t} has passed.", "{N} {t} was narrowly averted.", "{A} saw no {last} {t} on the horizon.", "How likely is it that {t} will {v}? Hardly at all.", "Who still expects {t} to {v}? Nobody.", "{A} put the chance of {n} {t} at close to zero.", "The balance of risks has shifted away from {n} {t}.", "The risks no longer point to {n} {t}.", "{A} {was} no longer alarmed at the prospect of {n} {t}.", "There is no cause for alarm about {n} {t}.", "{A} gave little credence to forecasts of {n} {t}.", "{A} doubted that {t} would {v}.", "It is very doubtful that {t} will {v}{when_ahead}.", "It is hard to imagine that {t} will {v}.", "It is hard to see why {t} should {v}.", "It would take a miracle for {t} to {v}.", "It would take a great deal for {t} to {v}.", "There is scant prospect of {n} {t}.", "{A} saw a lack of reasons why {t} should {v}.",
         "The scenario of {n} {t} has lost its plausibility.", "{A} withdrew the forecast of {n} {t}.", "{A} backed away from the view that {t} would {v}.", "The all-clear has been given: {t} will not {v}.", "Safeguards against {n} {t} have held.", "{T} {has} no scope to {v}{when_ahead}.", "The last thing to be expected is that {t} will {v}.", "Warnings of {n} {t} can safely be disregarded.", "There is no more talk of {n} {t}{when_ahead}."),
        ("There is now a smaller chance that {t} will {v}.", "The danger that {t} might {v} has passed.", "Fears of {n} {t} have faded."),
    ),
)

# More of them, and fewer.
HOW_MANY = (things("more; many more; considerably more; slightly more; a growing number of; an increasing number of"), things("fewer; far fewer; considerably fewer; slightly fewer; a shrinking number of; a falling number of"))
BY_NUMBER = Frames(
    ("{Q} {who} {did}.", "{Q} {who} {did}{when}.", "There were {q} {who} that {did}{when}.", "{Q} {who} {did}, as the survey shows.", "It is reported that {q} {who} {did}.", "We counted {q} {who} that {did}{when}.", "{Q} {who} {did}, according to those that we asked.", "Of late, {q} {who} {did}.", "We hear that {q} {who} {did}.",
         "The survey found that {q} {who} {did}.", "In most regions, {q} {who} {did}.", "This time, {q} {who} {did}.", "Our contacts told us that {q} {who} {did}{when}.", "It struck us that {q} {who} {did}.", "It did not go unnoticed that {q} {who} {did}{when}.", "There is no denying that {q} {who} {did}.", "Nobody disputes that {q} {who} {did}.", "If one thing stands out, it is that {q} {who} {did}.", "What surprised us was that {q} {who} {did}.", "All in all, {q} {who} {did}{when}.", "According to the latest report, {q} {who} {did}.", "The figures leave no doubt that {q} {who} {did}.", "{Q} {who} {did}, and this is no coincidence.", "{Q} {who} {did}, which was not unexpected.", "{Q} {who} {did} over the period as a whole.", "One thing is certain: {q} {who} {did}{when}.", "We learnt that {q} {who} {did}{when}.", "In the past months, {q} {who} {did}.", "As the minutes put it, \"{q} {who} {did}\".", "We met {q} {who} that {did}{when}.", "In our sample there were {q} {who} that {did}."),
    ("{When} {q} {who} {did}.", "The reports speak of {q} {who} that {did}."),
)
BY_US = Frames(
    ("We {did} {q} {who}.", "We {did} {q} {who}{when}.", "As you can see, we {did} {q} {who}.", "In all, we {did} {q} {who}.", "It turns out that we {did} {q} {who}."),
    ("This time we {did} {q} {who}.", "Again we {did} {q} {who}{when}."),
)
THAN = (" than a year ago", " than before", " than in the previous quarter", " than expected")


Clauses = tuple[tuple[str, str], ...]


def clauses(text: str) -> Clauses:
    """Who, and what they did; of several that commas part, each did each."""
    pairs = [entry.partition("/") for entry in things(text)]
    return tuple((who.strip(), did.strip()) for all_who, _, all_did in pairs for who in all_who.split(",") for did in all_did.split(","))


@dataclass(frozen=True)
class Counts:
    """Of whom more and fewer are said, learnt and tested, with the labels of more `good` and of more `bad`."""

    more: tuple[str, str]
    good: tuple[Clauses, Clauses]
    bad: tuple[Clauses, Clauses]


COUNTS = {
    "central-bank": Counts(
        ("Hawkish", "Dovish"),
        (
            clauses("companies, employers, small businesses, manufacturers, service providers, builders, exporters, hauliers, farms, hospitals, agencies, firms in the north / took on staff, advertised posts, planned to add jobs, paid higher wages, paid overtime, offered signing bonuses, had trouble finding staff, lacked skilled workers, reported wage pressure, ran at full stretch, turned orders away for lack of capacity, extended their opening hours, ordered new equipment, saw demand exceed supply, reported full order books, put up new halls, hired school leavers; respondents, executives, purchasing managers, dealers, wholesalers, hoteliers, brewers, garages, dentists, craftsmen / announced price increases, planned to charge more, passed higher costs on, reported higher input costs, marked up their goods, expected stronger demand, spoke of brisk trade, judged their stocks too low, expected higher selling prices; households, consumers, couples, tenants, savers, city dwellers, retired people / took out a mortgage, bought a car, ordered new furniture, booked a holiday abroad, planned to build, expected higher prices, said that they were better off, viewed flats, spent their savings, ate in restaurants; workers, engineers, women, graduates, waiters, drivers, foreigners, unskilled workers, over-sixties / found a job, were in paid work, got a rise, moved to better paid jobs, signed a permanent contract, left their job of their own accord, asked for a rise, worked full time, entered the labour market; dwellings, villas, new cars, vans, washing machines, excavators, caravans, boats / were sold, found a buyer, changed hands at higher prices, were delivered, were on order; goods, services, foods, medicines, rents, fares, fees, tickets / rose in price, cost more than last year, went up by more than three per cent, were marked up; credit lines, consumer loans, housing loans, overdrafts, business loans, building permits, licences to build / were approved, were applied for, were issued; people / found work; firms / were hiring; firms / reported shortages of labour; companies / raised their prices; households / planned large purchases; companies / were founded; homes / were sold; cars / were registered; firms / planned to raise wages; shops / put up their prices; people / had a job; firms / were short of staff; businesses / expected to expand; workers / changed jobs for higher pay; loans / were granted; consumers / expected prices to rise; tourists / arrived; posts / were advertised; containers / were shipped; homes / were built; companies / worked at full capacity; flats / were let at higher rents; factories / ran extra shifts; new jobs / were created; unions / demanded higher pay; firms / reported rising costs; employees / were taken on; vacancies / were filled; customers / visited the shops; flights / were booked; apprentices / started their training; orders / arrived; young people / entered work; lorries / were on the road; merchants / charged more; landlords / raised the rent; suppliers / put their prices up; positions / remained vacant; job openings / went unfilled; plots / were built on; guests / stayed overnight; cooks / were wanted; nurses / got a pay rise; teachers / received higher salaries; manufacturers / lifted their prices; bakers / charged more for bread; hotels / were fully booked; parcels / were delivered; exporters / won new orders; builders / started new projects; car makers / added a shift; banks / granted new mortgages; young couples / bought a flat; students / found a summer job; migrants / took up work; mothers / returned to work; pensioners / went back to work; workshops / had full order books; firms / expected sales to rise; managers / planned to hire; firms / intended to invest; companies / expanded their plants; start-ups / were registered; shops / opened; cranes / were in use; tractors / were sold; houses / changed hands; buildings / were begun; permits / were issued; ships / called at the port; travellers / passed through the airports; diners / ate out; households / felt better off; families / renovated their homes; consumers / bought on credit; wage agreements / exceeded the norm; pay claims / were met; employers / raised wages; employers / paid bonuses; employees / worked overtime; posts / could not be filled; firms / complained of a lack of skilled labour; goods / became dearer; items in the basket / became more expensive; energy suppliers / raised their tariffs; airlines / raised their fares; insurers / put up their premiums; savers / feared inflation; truckers / were sought; welders / were taken on; firms / bid for the same workers"),
            clauses("applicants / were hired; restaurants / charged higher prices; families / bought a home; employers / could not fill their vacancies; machines / were ordered; retailers / passed on higher costs"),
        ),
        (
            clauses("companies, employers, small businesses, manufacturers, service providers, builders, exporters, hauliers, farms, hospitals, agencies, firms in the north / cut jobs, sent staff home, closed a plant, applied for creditor protection, ran below capacity, lost customers, withdrew their vacancies, scrapped their plans to expand, reported falling orders, worked short weeks, were in distress, spoke of weak demand, were wound up, stopped hiring, could not repay their loans, cut working hours; respondents, executives, purchasing managers, dealers, wholesalers, hoteliers, brewers, garages, dentists, craftsmen / announced price cuts, planned to charge less, sat on unsold stock, expected weaker demand, judged their order books too thin, complained of a lack of customers, expected lower selling prices, gave rebates; households, consumers, couples, tenants, savers, city dwellers, retired people / fell into arrears, drew down their last savings, asked for debt relief, put off buying a car, cancelled their holiday, expected to lose their job, tightened their belts, skipped a payment, sold their jewellery to get by, were over-indebted; workers, engineers, women, graduates, waiters, drivers, foreigners, unskilled workers, over-sixties / were dismissed, lost their post, were without work, drew unemployment pay, gave up looking for work, had their hours cut, went without a rise, feared for their job, signed on at the labour office, were on unpaid leave; dwellings, villas, new cars, vans, washing machines, excavators, caravans, boats, shop premises / remained without a buyer, were repossessed, went unsold, were sold below cost, were auctioned off, stood unused; goods, services, foods, medicines, rents, fares, fees, tickets / fell in price, cost less than last year, were marked down, became cheaper; credit lines, consumer loans, housing loans, overdrafts, business loans, building projects, hotel projects / were cancelled, were in default, were called in, were abandoned, were not repaid; firms / went bankrupt; people / were out of work; workers / were laid off; companies / filed for insolvency; households / fell behind on their loans; people / lost their jobs; people / claimed unemployment benefits; shops / closed for good; factories / stood idle; businesses / shut down; workers / were put on short time; homes / stood empty; borrowers / defaulted; companies / cut their prices; firms / postponed investment; people / were looking for work; firms / shed staff; orders / were cancelled; sites / were closed; firms / froze hiring; families / were in arrears; enterprises / went out of business; machines / stood still; graduates / found no job; loans / went bad; staff / were dismissed; positions / were cut; jobs / were axed; businesses / collapsed; owners / sold at a loss; families / turned to food banks; mortgages / were in default; debtors / stopped paying; firms / went under; shops / were boarded up; workers / were let go; hotels / stood half empty; offices / were vacant; production lines / were shut down; contractors / went bust; tenants / were evicted; borrowers / missed a payment; shipyards / were closed; mines / were shut; farmers / gave up; employees / were sent home; trainees / were not kept on; contracts / were not renewed; seasonal workers / were turned away; people / registered as jobless; people / lived on benefits; miners / lost their jobs; clerks / were let go; job seekers / found nothing; school leavers / remained without a place; restaurants / closed down; retailers / went into administration; airlines / cancelled routes; manufacturers / cut production; plants / worked short time; factories / reduced output; exporters / lost orders; projects / were put off; investments / were shelved; building sites / lay idle; houses / remained unsold; cars / stood unsold; goods / piled up in warehouses; households / could not pay their bills; families / lost their homes; homeowners / were behind with payments; loans / were written off; firms / could not service their debt; banks / failed; shops / offered discounts; stores / marked down their goods; sellers / lowered their asking prices; hotels / cut their rates; producers / lowered their prices; firms / expected sales to fall; firms / planned to cut jobs; companies / froze wages; employers / cut pay; workers / accepted lower wages; consumers / put off purchases; families / cut back on spending; guests / stayed away; trucks / were parked; ships / lay at anchor; subsidiaries / were wound up; businesses / were sold at auction; partners / dissolved their company; traders / sold off their stock"),
            clauses("employees / were made redundant; firms / gave up their business; people / searched for work in vain; tenants / could not pay their rent; builders / became insolvent; plants / were mothballed"),
        ),
    ),
    "earnings-call": Counts(
        ("Positive", "Negative"),
        (
            clauses("clients, policyholders, sellers, advertisers, hospitals, carriers, landlords, developers, restaurants, households, developers on our platform, chains / stayed loyal, placed repeat orders, chose us over a rival, upgraded their plan, recommended us, paid ahead of time, extended for three years, gave us top marks, widened their use of our service, moved their volume to us, signed up for auto-pay, prepaid; stores, plants, regions, brands, routes, wells, branches, product lines, clinics, ships, depots, theatres / made a profit, ran at full capacity, grew faster than the market, beat last year, came in under budget, reached break-even, earned their cost of capital, exceeded our plan, met their safety goal, turned cash positive; launches, upgrades, audits, pilot projects, migrations, tenders, prototypes, test runs / went smoothly, were finished early, came in ahead of schedule, were rated a success; tenders, claims, lawsuits, appeals / ended in our favour, were decided for us; audits, inspections, test runs / were passed at the first attempt, left nothing to complain about; drug candidates, trials / met their endpoints, went on to the next phase; technicians, nurses, sales people, store managers, pilots, drivers / stayed with us, accepted our offers, reached their quota, came back to us, recommended us as an employer; customers / renewed; customers / signed up; stores / beat their targets; users / stayed with us; orders / came in; projects / were completed on time; clients / expanded their contracts; guests / came back; patients / started treatment; members / upgraded; sites / were profitable; rooms / were occupied; dealers / joined our network; borrowers / paid on time; flights / left on schedule; products / passed the first test; merchants / chose our platform; visitors / became buyers; tenants / extended their leases; tests / succeeded; shipments / arrived on time; accounts / were opened; bids / were successful; subscribers / took the premium plan; customers / bought a second product; contracts / we won; clients / we signed; units / we shipped; customers / we added; cars / we sold; patients / we treated; orders / we booked; users / we gained; leases / we renewed; loans / we granted; bids / we won; policies / we wrote; agents / joined us; franchisees / opened a second site; clients / raised their budgets; viewers / watched to the end; advertisers / came back; parcels / arrived early; homes / were sold before completion; tickets / were sold out; readers / subscribed; trials / ended well; bookings / we took; branches / we opened"),
            clauses("shoppers / returned; bids / were won; partners / committed to volume; leases / were signed; doctors / prescribed our drug; students / enrolled with us; tickets / we sold; dealers / we signed up"),
        ),
        (
            clauses("clients, policyholders, sellers, advertisers, hospitals, carriers, landlords, developers, restaurants, households, developers on our platform, chains / went to a rival, downgraded their plan, cancelled early, delayed their payments, let their contract lapse, complained about our service, disputed their bills, cut their spending with us, asked for concessions, walked away, sued us, ended their subscription, returned what they had bought; stores, plants, regions, brands, routes, wells, branches, product lines, clinics, ships, depots, theatres / lost money, were offline, missed the plan, fell short of last year, ran below capacity, burned cash, were closed for repairs, had to be written down, underperformed, were short of supplies; launches, upgrades, audits, pilot projects, migrations, tenders, prototypes, test runs / ended in failure, overran their budget, were delayed, had to be repeated, were abandoned; tenders, claims, lawsuits, appeals / went against us, were lost; drug candidates, trials / missed their endpoints, were given up; technicians, nurses, sales people, store managers, pilots, drivers / resigned, missed their quota, declined our offers, called in sick, went on strike, left within their first year; customers / left us; customers / cancelled; orders / were cancelled; borrowers / fell behind; flights / were cancelled; shipments / arrived late; products / were returned; good employees / quit; loans / went bad; contracts / were lost; machines / broke down; clients / asked for refunds; projects / ran over budget; users / closed their accounts; trucks / stood idle; parts / were missing; people / were injured at our sites; policies / lapsed; wells / were shut in; launches / slipped; tenants / moved out; calls / were dropped; batches / failed inspection; dealers / left our network; subscribers / dropped the service; customers / we lost; orders / we cancelled; loans / we wrote off; outages / we had; accidents / we had; deadlines / we missed; parts / we scrapped; complaints / we received; breakdowns / we suffered; penalties / we paid; people / we lost; defects / we found; accounts / we lost; passengers / complained; claims / were filed against us; trials / failed; customers / switched to a rival; clients / reduced their budgets; deliveries / were delayed; engineers / resigned; advertisers / paused; wells / came up dry; samples / were contaminated; rooms / stayed empty; patients / dropped out; franchisees / gave up; recalls / we announced; branches / we had to close"),
            clauses("accounts / were closed; deals / fell through; clients / defected; deliveries / went missing; invoices / went unpaid; patients / stopped treatment; clients / we lost; delays / we had"),
        ),
    ),
}

# What helps or hurts and has no measure: it lasts, or it passes.
LASTS = Direction((), verbs("persist; continue; build/built/built; intensify; grow/grew/grown; strengthen; mount; increase; return; last; become stronger/became stronger/become stronger; spread/spread/spread"), ("an increase in",))
PASSES = Direction((), verbs("fade; ease; wane; abate; dissipate; subside; disappear; die down; recede; diminish; evaporate; lessen; weaken; run out/ran out/run out; vanish; dwindle"), ("a reduction in",))
HELPS = Kind(
    "what helps",
    things("tailwinds; momentum; the tailwind from lower rates; the benefit of the tax change; the support from stimulus; the boost from pricing; the contribution of new stores; enthusiasm for our products; customer interest; our competitive advantage; the confidence of our clients; the lift from the holiday season; the strength of the brand; the advantage in costs; appetite for our shares; favourable conditions; the recovery in travel; our lead in technology; pent-up demand; the goodwill of our dealers"),
    things("the tailwind from currency; demand momentum; the positive mix effect; the edge that we had"),
    LASTS, PASSES, {"ec_financial_sentiment": ("Positive", "Negative")},
)
HURTS = Kind(
    "what hurts",
    things("headwinds; pressure on margins; the drag from currency; the impact of the strike; the disruption at our plant; price competition; softness in the market; the weakness in Europe; hesitation among customers; labour constraints; the burden of integration costs; supply problems; congestion in the ports; the effects of the storm; the shortage of chips; pricing pressure; inflationary pressure; the slowdown in China; challenges in the supply chain; destocking; uncertainty among buyers; resistance to our prices"),
    things("the squeeze on pricing; the strain in our supply chain; currency headwinds; troubles at the new site"),
    LASTS, PASSES, {"ec_financial_sentiment": ("Negative", "Positive")},
)
LASTING = Frames(
    ("{T} {past}{when}.", "{T} {has} {pp}.", "{T} {is} expected to {v}{when_ahead}.", "{T} {has} begun to {v}.", "{T} will {v}{when_ahead}.", "{T} {past} more quickly than we had expected.", "As the year went on, {t} {past}.", "We think that {t} will {v}.", "{T} {past} further{when}.", "{T} {is} {g}.", "{T} may well {v}{when_ahead}.", "By now, {t} {has} {pp}.", "There are signs that {t} {is} {g}.", "{T} {past} as the year went on.", "We believe that {t} {has} {pp}.",
         "Over the year, {t} {past}.", "{T} {past} markedly{when}.", "{T} continued to {v}{when}.", "{T} {has} started to {v}.", "It is plain that {t} {has} {pp}.", "We now see {t} {g}.", "{T} {was} {g}{when}.", "{T} {is} set to {v}{when_ahead}.", "{T} {is} bound to {v}{when_ahead}.", "We are confident that {t} will {v}{when_ahead}.", "Month after month, {t} {past}.", "It did not escape us that {t} {past}.", "There is no denying that {t} {has} {pp}.", "{T} {past} noticeably.", "As we said in spring, {t} {has} {pp}.", "We expect {t} to {v}{when_ahead}.", "{T} {past} step by step{when}.", "In every region, {t} {past}.", "Without question, {t} {is} {g}."),
    ("{When} {t} {past}.", "We saw {t} {v}{when}.", "{T} {is} likely to {v}{when_ahead}."),
)

# What befell by what moved, and what would have moved without it.
BEFALLEN = Turn(
    same=Frames(
        ("Because of {e}, {t} {past}.", "As a result of {e}, {t} {past}{when}.", "{T} {past}{when} on account of {e}.", "With {e}, {t} {past}.", "After {e}, {t} {past}.", "{E} led to {n} {t}.", "Owing to {e}, {t} {has} {pp}.", "{T} {past}, driven by {e}.", "{E} resulted in {n} {t}{when}.", "{E} made {t} {v}{when}.", "{E} {was} the reason why {t} {past}.", "We put it down to {e} that {t} {past}.", "Due to {e}, {t} {past}.",
         "{E} {was} behind {n} {t}.", "{E} contributed to {n} {t}.", "It is because of {e} that {t} {past}.",
         "With {e} included, {t} {past}.", "{E} caused {n} {t}.", "{E} accounted for {n} {t}{when}.", "{N} {t} was due to {e}.", "It was {e} that made {t} {v}.", "{T} did {v}{when} on account of {e}.", "{E} reinforced {n} {t}.", "The main cause of {n} {t} was {e}.", "{E} set off {n} {t}.", "{T} {past}{when} because of {e}.", "Through {e}, {t} {past}.",
         "Thanks to {e}, {t} {past}{when}.", "{E} gave rise to {n} {t}.", "{E} triggered {n} {t}.", "{E} paved the way for {n} {t}.", "It was only due to {e} that {t} {past}.", "It took {e} to make {t} {v}.", "In light of {e}, {t} {past}.", "Then came {e}, and {t} {past}.", "{E} amplified {n} {t}.", "{E} prolonged {then} {t}.", "{E} added to {then} {t}.", "{E} sped up {then} {t}{when}.", "{E} helped along {n} {t}.", "{E} presented us with {n} {t}.", "What made {t} {v}? It was {e}.", "There would have been no {last} {t} if not for {e}.", "Nothing but {e} explains why {t} {past}.", "So strong an effect did {e} have that {t} could only {v}.", "{E} set in motion {n} {t}."),
        ("{T} {past}, which we attribute to {e}.", "{E} brought about {n} {t}.", "Following {e}, {t} {past}{when}."),
    ),
    turned=Frames(
        ("But for {e}, {t} would have {pp}.", "Without {e}, {t} would have {pp}{when}.", "Had it not been for {e}, {t} would have {pp}.", "{T} would have {pp} without {e}.", "{E} kept {t} from {g}.", "If it were not for {e}, {t} would {v}.", "{E} prevented {n} {t}.", "{T} could not {v} because of {e}.", "{E} made it impossible for {t} to {v}.", "{E} more than offset {n} {t}.", "{E} put an end to {then} {t}.", "Adjusted for {e}, {t} would have {pp}.",
         "{E} {was} all that kept {t} from {g}.", "{E} wiped out {n} {t}.", "Were it not for {e}, {t} would have {pp}.", "{E} got in the way of {n} {t}.", "We would have seen {n} {t} if it had not been for {e}.",
         "Leaving {e} aside, {t} would have {pp}.", "If we take out {e}, {t} would have {pp}{when}.", "Net of {e}, {t} would have {pp}.", "{E} undid {n} {t}.", "{E} cancelled out {n} {t}{when}.", "{E} averted {n} {t}.", "{N} {t} was avoided because of {e}.", "Because of {e}, {t} did not {v}{when}.", "Owing to {e}, {t} failed to {v}.", "{T} did not {v}{when} on account of {e}.", "{E} more than absorbed {n} {t}.", "{E} ruled out {n} {t}.",
         "Thanks to {e}, {n} {t} was averted.", "{E} forestalled {n} {t}{when}.", "{E} left no room for {n} {t}.", "{E} stifled {n} {t}.", "{E} barred the way to {n} {t}.", "{E} did enough to stop {t} from {g}.", "{E} alone kept {t} from {g}{when}.", "{E} sufficed to prevent {n} {t}.", "{E} did not fail to prevent {n} {t}.", "It was only due to {e} that {t} did not {v}.", "It took {e} to stop {t} from {g}.", "{E} stood in the way of {n} {t}.", "In the absence of {e}, {t} would have {pp}{when}.", "Only {e} saved us from {n} {t}.", "{E} spared us {n} {t}{when}.", "Stripping out {e}, {t} would have {pp}.", "Excluding {e}, we would have reported {n} {t}.", "{E} neutralised {n} {t}.", "{E} more than made up for {n} {t}.", "{E} brought {then} {t} to a halt.", "{E} cut short {then} {t}.", "{E} swallowed up all of {then} {t}.", "{E} erased {then} {t}{when}.", "{E} thwarted {n} {t}.", "{E} deprived us of {n} {t}.", "{E} held {t} back from {g}{when}.", "What stopped {t} from {g}? It was {e}.", "There would have been {n} {t} if not for {e}.", "Nothing but {e} stood between us and {n} {t}.", "Nothing but {e} explains why {t} did not {v}.", "So strong an effect did {e} have that {t} could not {v}.",
         "{E} put paid to {n} {t}."),
        ("Absent {e}, {t} would have {pp}.", "{T} would have {pp} had there not been {e}.", "{E} stopped {t} from {g}{when}."),
    ),
)

# Against what was expected, and against each other.
EXPECTED = Turn(
    same=Frames(("{T} {past} more than we had expected.", "{T} {past} by more than planned{when}.", "{T} {past} faster than anybody thought.", "{T} {past} beyond our expectations.", "We had not expected {t} to {v} so much.", "{Then} {t} was larger than we had expected.", "{T} {past} more than analysts had forecast{when}.", "{T} {past} more than our plan foresaw.", "{T} {past} further than we had guided to.", "Nobody had thought that {t} would {v} by so much.",
         "{T} {past} more than we had dared to think.", "{Then} {t} left our forecast far behind.", "{Then} {t} exceeded what we had pencilled in.", "{Then} {t} was anything but the small one that we had assumed.", "We underestimated {then} {t}{when}.", "We underestimated how much {t} would {v}.", "Our forecast of {n} {t} proved too cautious.", "{Then} {t} outdid all forecasts.", "{T} {past} by twice what we had planned.", "How far did {t} {v}? Further than we had thought possible.", "Who would have thought that {t} would {v} by that much?", "We had reckoned with a smaller {last} {t}.", "We had braced for {n} {t}, but not for one this large.", "{T} {past} so much that it surprised us.", "Never had we assumed that {t} would {v} that fast.", "{Then} {t} was well in excess of what the market had reckoned with.", "{Then} {t} surpassed even our boldest assumptions.", "In none of our scenarios did {t} {v} as much as in fact {it} did.", "{T} {past} at a faster pace than budgeted{when}.", "We had to revise our forecast, as {t} {past} more than it said.", "It took us by surprise how much {t} {past}{when}.", "{T} {past} as much as we had expected, and then some.",
         "{T} {past} over and above what was in our plan.", "Our guidance allowed for {n} {t}, though not on this scale.", "{Then} {t} beat our estimate by a wide margin.", "{Then} {t} was stronger than anyone had predicted.", "We would not have believed that {t} could {v} by that much.", "What was meant to be a small {last} {t} became a large one."), ("{T} {past} well beyond what we had in mind.",)),
    turned=Frames(("{T} {past} less than we had expected.", "{T} {past} by less than planned{when}.", "{T} {past} more slowly than anybody thought.", "{T} {past}, though by less than we had assumed.", "We had thought that {t} would {v} more.", "{Then} {t} was smaller than we had expected.", "{T} {past} less than analysts had forecast{when}.", "{T} {past} less than our plan foresaw.", "{T} did not {v} as far as we had guided to.", "All had thought that {t} would {v} by more.",
         "{T} {past} not nearly as much as we had thought.", "{Then} {t} fell far short of our forecast.", "{Then} {t} came to less than we had pencilled in.", "{Then} {t} was anything but the large one that we had assumed.", "We overestimated {then} {t}{when}.", "We overestimated how much {t} would {v}.", "Our forecast of {n} {t} proved too bold.", "{Then} {t} lagged behind all forecasts.", "{T} {past} by only half of what we had planned.", "How far did {t} {v}? Not nearly as far as we had thought.", "Who would have thought that {t} would {v} by so little?", "We had reckoned with a larger {last} {t}.", "We had braced for {n} {t}, but it was much smaller.", "{T} {past} so little that it surprised us.", "Never had we assumed that {t} would {v} that slowly.", "{Then} {t} was nothing like what the market had reckoned with, but far smaller.", "{Then} {t} did not come up to even our most cautious assumptions.", "In all of our scenarios {t} {past} more than in fact {it} did.", "{T} {past} at a slower pace than budgeted{when}.", "We had to revise our forecast, as {t} {past} less than it said.", "It took us by surprise how little {t} {past}{when}.",
         "{T} {past} no more than half as much as we had expected.", "{T} {past} by nowhere near what was in our plan.", "Our guidance allowed for {n} {t}, and on a far larger scale.", "{Then} {t} missed our estimate by a wide margin.", "{Then} {t} was weaker than anyone had predicted.", "We would not have believed that {t} could {v} by so little.", "What was meant to be a large {last} {t} became a small one."), ("{T} {past} by far less than we had in mind.",)),
)
RACE = Frames(
    ("{T} {past} faster than {t2}.", "{T} {past} more than {t2}{when}.", "{T2} {past} more slowly than {t}.", "{T2} {past} less than {t}{when}.", "{T} {past} ahead of {t2}.",
         "{T} {past} twice as fast as {t2}.", "{T2} {past} only half as fast as {t}.", "{T2} {past}{when}, and {t} {past} even more.", "{T} {past}{when}, and {t2} {past} far less.",
         "{T} {past} by far more than {t2}.", "{T} {past} much more sharply than {t2}{when}.", "{T2} {past} nowhere near as fast as {t}.", "{T2} {past} less than half as much as {t}{when}.", "However fast {t2} {past}, {t} {past} faster.", "{T2} {past} by a little, {t} by a lot.", "If {t2} {past} fast, {t} {past} faster still.", "{T} {past}, with {t2} trailing far behind.", "{T} {past} several times as much as {t2}.", "{T2} {past} too, but lagged behind {t}.", "Much as {t2} {past}, {t} {past} more.", "{T2} {past} at nothing like the speed at which {t} {past}{when}.", "While {t2} {past} slowly, {t} {past} quickly{when}."),
    ("{T} {past} at a faster pace than {t2}.", "{T} outpaced {t2}, although both {past}."),
)


def moved(kind: Kind, up: bool, test: str | None, rng: random.Random, acts: bool = False) -> tuple[str, Verb, str]:
    """A thing, its direction word and a rise or fall in it."""
    direction = kind.up if up else kind.down
    choice = direction.does if acts else tuple(v for v in direction.goes if v.base not in STRONG)
    return *pair(kind, choice, test, rng), rng.choice(direction.nouns)


def forms(n: str) -> dict[str, str]:
    """`n` with the article of what was spoken of before, and without one."""
    bare = n.removeprefix("an ").removeprefix("a ")
    return {"then": f"the {bare}", "Then": f"The {bare}", "last": bare}


def second(thing: str, verb: Verb, n: str) -> dict[str, str]:
    return {"t2": thing, "T2": f"{thing[0].upper()}{thing[1:]}", "v2": verb.base, "past2": verb.past, "pp2": verb.participle, "n2": n, "has2": "have" if is_plural(thing) else "has"}


def kinds(package: str, *names: str) -> tuple[Kind, ...]:
    return tuple(kind for kind in KINDS[package] if kind.name in names)


ECONOMY = kinds("central-bank", "prices and wages", "activity", "slack")
POLICY = kinds("central-bank", "policy rates", "purchases and the balance sheet", "runoff and absorption", "reserve requirements", "lending to banks")
UNCERTAIN = kinds("central-bank", "uncertainty")
GOOD, BAD = KINDS["earnings-call"]
SENTIMENT = "ec_financial_sentiment"


def only(model: str, labels: dict[str, str]) -> dict[str, str]:
    return {model: labels[model]}


def turn(package: str, bases: tuple[Kind, ...], by: Turn, model: str) -> Maker:
    """A movement that takes place by itself."""

    def make(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
        kind, up, is_turned = rng.choice(bases), rng.random() < 0.5, rng.random() < 0.6
        thing, verb, n = moved(kind, up, test, rng)
        frame = rng.choice((by.turned if is_turned else by.same).of(test))
        bank = "most members" if test else rng.choice(("the Committee", "the Board", "members"))
        return fill(frame, package, rng, t=thing, verb=verb, n=n, a=bank, **forms(n)), only(model, kind.labels(up != is_turned))

    return make


def ruled_out(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    kind, up, is_turned = rng.choice(POLICY), rng.random() < 0.5, rng.random() < 0.55
    thing, verb, n = moved(kind, up, test, rng, acts=True)
    frames = (RULES_OUT.turned if is_turned else RULES_OUT.same).of(test)
    frame = rng.choice(that_fit(frames, n))
    return fill(frame, "central-bank", rng, t=thing, verb=verb, n=n, a=rng.choice(kind.actors[1 if test else 0]), **forms(n)), kind.labels(up != is_turned)


def of_economy(hawkish: bool, test: str | None, rng: random.Random) -> tuple[str, Verb, str]:
    kind = rng.choice(ECONOMY)
    return moved(kind, (kind.means[STANCE][0] == "Hawkish") == hawkish, test, rng)


def decided(frames: Callable[[str | None, random.Random], tuple[str, bool, bool | None]]) -> Maker:
    """What a bank does beside what the economy does. `frames` gives a frame, whether the direction of what is done is turned round, and whether the economy calls for what is done (None: either way)."""

    def make(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
        kind, up = rng.choice(POLICY), rng.random() < 0.5
        frame, is_turned, calls = frames(test, rng)
        thing, verb, _ = moved(kind, up, test, rng, acts=True)
        is_hawkish = kind.labels(up)[STANCE] == "Hawkish"
        economy = of_economy(rng.random() < 0.5 if calls is None else is_hawkish == calls, test, rng)
        return fill(frame, "central-bank", rng, t=thing, verb=verb, a=rng.choice(kind.actors[1 if test else 0]), **second(*economy)), kind.labels(up != is_turned)

    return make


def condition(test: str | None, rng: random.Random) -> tuple[str, bool, bool | None]:
    which = rng.random()
    if which < 0.3:
        return rng.choice(NOT_BEFORE.of(test)), True, True
    return (rng.choice(CONDITION.turned.of(test)), False, False) if which < 0.65 else (rng.choice(CONDITION.same.of(test)), False, True)


def concession(test: str | None, rng: random.Random) -> tuple[str, bool, bool | None]:
    return rng.choice(CONCESSION.of(test)), False, None


def two_of_economy(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    hawkish, is_mixed = rng.random() < 0.5, rng.random() < MIXED_SHARE
    while True:
        (thing, verb, n), other = of_economy(hawkish, test, rng), of_economy(hawkish != is_mixed, test, rng)
        if thing != other[0]:
            break
    label = "Neutral" if is_mixed else "Hawkish" if hawkish else "Dovish"
    return fill(rng.choice(BOTH.of(test)), "central-bank", rng, t=thing, verb=verb, n=n, **second(*other)), {STANCE: label}


def counted(package: str) -> Maker:
    """Of a new pair, who and what they did with how many of them."""
    counts = COUNTS[package]
    model = STANCE if package == "central-bank" else SENTIMENT

    def make(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
        while True:
            is_good, is_more = rng.random() < 0.5, rng.random() < 0.5
            who, did = rng.choice((counts.good if is_good else counts.bad)[1 if test == THINGS else 0])
            many = rng.choice(HOW_MANY[0 if is_more else 1])
            if test == THINGS or is_held_out(f"{who} {did}", Verb(many, many, many)) == (test == PAIRS):
                break
        by_us = did.startswith("we ")
        frame = rng.choice((BY_US if by_us else BY_NUMBER).of(THINGS if test else None))
        than = rng.choice(THAN) if not ("number" in many or "hen}" in frame) and rng.random() < 0.6 else ""
        text = fill(frame, package, rng, t=who, q=many, Q=f"{many[0].upper()}{many[1:]}", who=f"{who}{than}" if by_us else who, did=did.removeprefix("we ") if by_us else f"{did}{than}")
        return text, {model: counts.more[0 if is_good == is_more else 1]}

    return make


def lasting(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    kind, up = rng.choice((HELPS, HURTS)), rng.random() < 0.5
    thing, verb, _ = moved(kind, up, test, rng)
    return fill(rng.choice(LASTING.of(test)), "earnings-call", rng, t=thing, verb=verb), kind.labels(up)


def of_company(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    """What a company did not bring about."""
    if rng.random() < 0.5:
        return turn("earnings-call", (GOOD, BAD), FAILS, SENTIMENT)(test, rng)
    # Nobody means to do what is bad.
    (kind, up), is_turned = rng.choice(((GOOD, True), (BAD, False))), rng.random() < 0.6
    thing, verb, _ = moved(kind, up, test, rng, acts=True)
    frame = rng.choice((WE_FAIL.turned if is_turned else WE_FAIL.same).of(test))
    return fill(frame, "earnings-call", rng, t=thing, verb=verb, a=COMPANY[0][0]), only(SENTIMENT, kind.labels(up != is_turned))


def of_event(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    kind, up, is_turned = rng.choice((GOOD, BAD)), rng.random() < 0.5, rng.random() < 0.5
    thing, verb, n = moved(kind, up, test, rng)
    event = rng.choice(EVENTS[1 if test == THINGS else 0])
    frame = rng.choice((BEFALLEN.turned if is_turned else BEFALLEN.same).of(test))
    is_good = (kind is GOOD) == (up != is_turned)
    return fill(frame, "earnings-call", rng, t=thing, e=event, verb=verb, n=n, **forms(n)), {"ec_material_impact": "Positive Impact" if is_good else "Negative Impact", SENTIMENT: "Positive" if is_good else "Negative"}


def compared(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    """Good news is what grows ahead of what should not, and more of either than was expected, or less of it; what shrank less than was feared is left alone, for readers differ on it."""
    if rng.random() < 0.45:
        ahead, behind = (GOOD, BAD) if rng.random() < 0.5 else (BAD, GOOD)
        thing, verb, _ = moved(ahead, True, test, rng)
        other = rng.choice(behind.tested if test == THINGS else behind.learnt)
        return fill(rng.choice(RACE.of(test)), "earnings-call", rng, t=thing, verb=verb, **second(other, verb, "")), {SENTIMENT: "Positive" if ahead is GOOD else "Negative"}
    is_turned = rng.random() < 0.6
    kind, up = rng.choice(((GOOD, True), (BAD, True), (BAD, False)) if is_turned else ((GOOD, True), (GOOD, False), (BAD, True), (BAD, False)))
    thing, verb, n = moved(kind, up, test, rng)
    frame = rng.choice(that_fit((EXPECTED.turned if is_turned else EXPECTED.same).of(test), n))
    labels = only(SENTIMENT, kind.labels(up != is_turned)) | ({"ec_growth": kind.labels(up)["ec_growth"]} if kind is GOOD and "{past}" in frame else {})
    return fill(frame, "earnings-call", rng, t=thing, verb=verb, n=n, **forms(n)), labels


def two_of_company(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    """Two movements that are both good or both bad; of one that is good and one that is bad only the growth is asked, where one alone is a quantity of the business."""
    is_good, is_mixed = rng.random() < 0.5, rng.random() < MIXED_SHARE
    first, other = (GOOD, BAD) if is_mixed or rng.random() < 0.6 else (GOOD, GOOD)
    while True:
        thing, verb, n = moved(first, is_good, test, rng)
        two = moved(other, (other is GOOD) == (is_good != is_mixed), test, rng)
        if thing != two[0]:
            break
    growth = {"ec_growth": GOOD.labels(is_good)["ec_growth"]}
    labels = growth if is_mixed else growth | {SENTIMENT: "Positive" if is_good else "Negative"}
    ones = ((thing, verb, n), two) if rng.random() < 0.5 else (two, (thing, verb, n))
    return fill(rng.choice(BOTH.of(test)), "earnings-call", rng, t=ones[0][0], verb=ones[0][1], n=ones[0][2], **second(*ones[1])), labels


TURNED: dict[str, dict[str, Maker]] = {
    "central-bank": {
        "what fails to happen": turn("central-bank", ECONOMY, FAILS, STANCE),
        "what is ruled out": ruled_out,
        "what is done on a condition": decided(condition),
        "what is done all the same": decided(concession),
        "two movements": two_of_economy,
        "more and fewer": counted("central-bank"),
        "what is feared": turn("central-bank", ECONOMY, RISKS, STANCE),
        "uncertainty that fails to move": turn("central-bank", UNCERTAIN, FAILS, "cb_enhanced_uncertain_label"),
    },
    "earnings-call": {
        "what fails to happen": of_company,
        "more and fewer": counted("earnings-call"),
        "what lasts and what passes": lasting,
        "what moved for it": of_event,
        "against expectations and each other": compared,
        "two movements": two_of_company,
    },
}
