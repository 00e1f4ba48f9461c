"""Plain statements: a direction word and the thing that it is said of, put together from the tables below. They teach, and test apart, that it takes both: purchases that are reduced are tighter policy, rates that are reduced are looser; churn that falls is good news, revenue that falls is not.

Half of the test part is of things that are in no plain statement that is learnt (`new things`), half of pairs of a thing and a direction word that are learnt, but never of each other (`new pairs`); its frames are in none that is learnt.
"""

import random
import re
from dataclasses import dataclass

from data import draw

PLAIN = "plain"


@dataclass(frozen=True)
class Verb:
    """The forms of a direction word; where it is of several words, the first of them is the verb."""

    base: str
    past: str
    participle: str

    @property
    def gerund(self) -> str:
        first, *rest = self.base.split(" ")
        stem = first[:-1] if first.endswith("e") and not first.endswith("ee") else first + (first[-1] if first in DOUBLED else "")
        return " ".join([f"{stem}ing", *rest])


DOUBLED = {"begin", "cut", "dip", "drag", "drop", "offset", "put", "slim", "slip", "step", "stop", "top", "trim", "underpin"}


def verbs(text: str) -> tuple[Verb, ...]:
    """The base alone where the verb is regular, else base, past and participle."""
    entries = [[form.strip() for form in entry.split("/")] for entry in text.split(";")]
    return tuple(Verb(*(forms if len(forms) == 3 else (forms[0], *[regular(forms[0])] * 2))) for forms in entries)


def regular(base: str) -> str:
    first, *rest = base.split(" ")
    if first.endswith("e"):
        past = f"{first}d"
    elif first in DOUBLED:
        past = f"{first}{first[-1]}ed"
    elif first.endswith("y") and first[-2] not in "aeou":
        past = f"{first[:-1]}ied"
    else:
        past = f"{first}ed"
    return " ".join([past, *rest])


@dataclass(frozen=True)
class Direction:
    """`does`: somebody raises it; `goes`: it rises by itself; `nouns`: a rise in it; `states`: it is higher."""

    does: tuple[Verb, ...]
    goes: tuple[Verb, ...] = ()
    nouns: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """Things of which up and down mean the same, and what they mean to each model."""

    name: str
    learnt: tuple[str, ...]
    tested: tuple[str, ...]
    up: Direction
    down: Direction
    means: dict[str, tuple[str, str]]
    # Who does it, where somebody does.
    actors: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def labels(self, up: bool) -> dict[str, str]:
        return {model: ends[0 if up else 1] for model, ends in self.means.items()}


def things(text: str) -> tuple[str, ...]:
    return tuple(thing.strip() for thing in text.split(";"))


# Direction words. What a bank does with its rates, with its purchases and its lending; what the economy does; what a company does.

RATES_UP = Direction(verbs("raise; adjust upwards/adjusted upwards/adjusted upwards; ratchet up; increase; lift; hike; push up; move up; put up/put up/put up"), nouns=("an increase in", "a rise in", "a hike in"))
RATES_DOWN = Direction(verbs("cut/cut/cut; decrease; ease; adjust downwards/adjusted downwards/adjusted downwards; shave; lower; reduce; trim; bring down/brought down/brought down; take down/took down/taken down; slash"), nouns=("a cut in", "a reduction in", "a decrease in"))
MORE = Direction(verbs("increase; boost; double; widen; relaunch; reinstate; launch; begin/began/begun; start; introduce; expand; step up; extend; enlarge; resume; raise; accelerate; scale up; restart; top up; broaden; add to; speed up/sped up/sped up"), nouns=("an increase in", "an expansion of", "an extension of"))
LESS = Direction(verbs("reduce; halt; unwind/unwound/unwound; withdraw/withdrew/withdrawn; conclude; halve; dial back; step down; downsize; limit; decrease; close; complete; end; scale back; wind down/wound down/wound down; slow; stop; cut/cut/cut; lower; shrink/shrank/shrunk; taper; discontinue; phase out; curtail; pare back; suspend; trim; terminate"), nouns=("a reduction in", "a slowdown in", "an end to", "a cut in"))
GOES_UP = verbs("rise/rose/risen; soar; edge up; recover; rebound; escalate; trend higher; inch up; shoot up/shot up/shot up; double; spike; increase; climb; pick up; strengthen; accelerate; surge; grow/grew/grown; move up; expand; go up/went up/gone up; jump; gather pace; firm; mount; swell/swelled/swollen; advance")
GOES_DOWN = verbs("fall/fell/fallen; plunge; edge down; cool; slump; slide/slid/slid; recede; lose momentum/lost momentum/lost momentum; fade; trend lower; abate; come down/came down/come down; dip; halve; move lower; decline; drop; decrease; slow; weaken; ease; soften; shrink/shrank/shrunk; slip; contract; go down/went down/gone down; retreat; tumble; moderate; diminish; sink/sank/sunk; dwindle; subside")
RISE = ("a rise in", "an increase in", "a pick-up in", "an upturn in", "a jump in", "growth in")
FALL = ("a fall in", "a decline in", "a drop in", "a decrease in", "a downturn in", "a slowdown in")
HIGHER, LOWER = ("higher", "stronger", "greater", "up"), ("lower", "weaker", "smaller", "down")
ECONOMY_UP, ECONOMY_DOWN = Direction((), GOES_UP, RISE, HIGHER), Direction((), GOES_DOWN, FALL, LOWER)
WE_UP = Direction(verbs("increase; accelerate; double; enhance; strengthen; build/built/built; raise; grow/grew/grown; improve; lift; expand; boost; drive up/drove up/driven up; push up; step up; add to"), GOES_UP, RISE, HIGHER)
WE_DOWN = Direction(verbs("reduce; decrease; curb; halve; scale back; lower; cut/cut/cut; bring down/brought down/brought down; shrink/shrank/shrunk; trim; pare back; slash; take down/took down/taken down"), GOES_DOWN, FALL, LOWER)
# What is bad is not improved, expanded, boosted or stronger.
HIGH, LOW = ("higher", "greater", "up", "larger"), ("lower", "smaller", "down")
WE_UP_BAD = Direction(verbs("increase; raise; push up; drive up/drove up/driven up; add to"), verbs("rise/rose/risen; increase; climb; pick up; surge; grow/grew/grown; mount; worsen; go up/went up/gone up; jump; swell/swelled/swollen; deteriorate; build up/built up/built up"), ("a rise in", "an increase in", "a jump in", "growth in"), HIGH)
WE_DOWN_BAD = Direction(WE_DOWN.does, verbs("fall/fell/fallen; decline; drop; decrease; ease; shrink/shrank/shrunk; slip; improve; narrow; come down/came down/come down; go down/went down/gone down; retreat; moderate; diminish; recede; abate; subside; dwindle"), ("a fall in", "a decline in", "a drop in", "a decrease in", "a reduction in"), LOW)

# Who acts, learnt and tested.

BANK = (
    things("the Committee; the Bank; the Board; the Governing Council; the central bank; the Monetary Policy Committee; members; policymakers; we; the Executive Board"),
    things("the Policy Board; the Federal Open Market Committee; rate-setters; the Council; most participants"),
)
COMPANY = (things("we; the company; the team; management; the business"), things("our group; the segment; our people"))

HAWKISH_UP, DOVISH_UP = {"cb_stance_label": ("Hawkish", "Dovish")}, {"cb_stance_label": ("Dovish", "Hawkish")}

KINDS: dict[str, tuple[Kind, ...]] = {
    "central-bank": (
        Kind(
            "policy rates",
            things("the policy rate; its key interest rate; the target range for the federal funds rate; the cash rate; the main refinancing rate; the repo rate; interest rates; the overnight rate; the discount rate; the benchmark rate; the official bank rate; borrowing costs; the policy interest rate; the lending rate; the refinancing rate; the selic rate; the overnight call rate; the federal funds rate; rates; the key policy rate; the interest rate; the cash rate target; its lending rates; the minimum bid rate; the overnight rate target; the federal funds target range; the marginal lending rate; Bank Rate; the official cash rate; the one-week repo rate; the overnight policy rate; the two-week repo rate; the SNB policy rate; the standing facility rates; the lombard rate; the monetary policy rate; the overnight lending rate; the uncollateralised overnight call rate; the loan prime rate; the medium-term lending facility rate; the BI-Rate; the overnight interbank rate target; its official interest rates; borrowing costs set by the central bank; the floor of the rate corridor; the upper bound of the target range; the rate on main refinancing operations; its short-term interest rate target; the central bank's lending rate; the one-day repurchase rate; the rate paid on commercial banks' deposits; the target for the interbank rate; the sight deposit rate"),
            things("the base rate; the deposit facility rate; the reference rate; the interest rate on reserve balances; the seven-day reverse repo rate; the one-year lending rate"),
            RATES_UP, RATES_DOWN, HAWKISH_UP, BANK,
        ),
        Kind(
            "purchases and the balance sheet",
            things("its asset purchases; its purchases of government bonds; the asset purchase programme; bond buying; its holdings of securities; the size of its balance sheet; quantitative easing; its purchases of mortgage-backed securities; net purchases under the programme; monthly purchases of Treasury securities; its securities holdings; the volume of bonds that it buys; its purchases; purchases of exchange-traded funds; the pace of its asset purchases; purchases of Treasury bills; its quantitative easing programme; the stock of assets that it holds; its balance sheet; the amount of bonds that it purchases each month; the pandemic emergency purchase programme; purchases under the programme; reinvestments of maturing bonds; the stock of purchased gilts; the target for the stock of asset purchases; its bond purchases; the buying of government debt; purchases of corporate bonds; asset buying; its covered bond purchases; the purchase programme; gilt purchases; purchases of long-term government bonds; purchases of assets; its monetary stimulus; monetary stimulus; the degree of policy accommodation; its support for the economy; the quantity of bonds bought each month; purchases of agency debt; its holdings of government bonds; the portfolio of bonds; its exceptional measures; stimulus; the monthly pace of bond buying; net asset purchases; its holdings of government securities; the stock of purchased assets; the bond-buying envelope; the total size of the purchase programme; the pace of quantitative easing; the reinvestment share of redemptions; purchases under the pandemic programme; its purchases of long-dated gilts; the weekly amount of bonds bought; purchases of covered bonds; outright purchases of treasury securities; secondary-market purchases of sovereign debt; its portfolio of public sector bonds; purchases of commercial paper; its buying of Treasury bills; the monetary base target; open market purchases of state bonds; its purchases of Japanese government bonds; the volume of securities bought each month; its purchases of inflation-linked bonds; the stimulus provided through bond buying; the monthly purchase target; the quarterly volume of bond purchases; its portfolio of domestic securities; the quantity of bonds bought at each auction; its net purchases of private-sector assets; purchases under the public sector purchase programme; the scale of its quantitative easing; its intake of asset-backed securities; purchases of municipal bonds; the planned amount of outright bond buying; its acquisitions of agency debt; purchases of real estate investment trusts"),
            things("the purchase of public sector assets; large-scale asset purchases; the bond-buying programme; its portfolio of gilts; outright purchases of corporate bonds; monetary accommodation"),
            MORE, LESS, DOVISH_UP, BANK,
        ),
        Kind(
            "runoff and absorption",
            things("quantitative tightening; the runoff of its balance sheet; its sales of government bonds; the pace of balance sheet reduction; the issuance of central bank bills; the absorption of liquidity; its sales of securities; the redemption of maturing bonds; the reduction of its balance sheet; the unwinding of its asset purchases; its reverse repurchase operations; outright sales of bonds; its balance sheet runoff; the pace of runoff; the tightening of its balance sheet; asset sales; its bond sales; the sale of government securities; the draining of liquidity; liquidity-absorbing operations; sterilisation of liquidity; its deposit auctions; the withdrawal of stimulus; the removal of accommodation; the shrinking of its portfolio; the passive reduction of holdings; issuance of bills to absorb reserves; gilt sales; its programme of sales; the selling of its bonds; disposals of securities; the running down of its bond holdings; the normalisation of monetary policy; the liquidation of its portfolio; its fixed-term deposit operations; operations to absorb liquidity; the mopping up of liquidity; certificates issued to absorb liquidity; the reduction of its holdings; the unwinding of quantitative easing; the exit from accommodation; the shrinkage of its balance sheet; the decline in its holdings; its active sales; the speed at which it sells bonds; the non-reinvestment of maturing securities; the tapering of its purchases; the pace of balance sheet runoff; active gilt sales; the pace of quantitative tightening; its liquidity-draining operations; the volume of sterilisation; outright sales of securities; the amount drained through reverse repurchase agreements; absorption through deposit auctions; the runoff of mortgage-backed securities; the speed of portfolio runoff; the issue of certificates of deposit to mop up liquidity; withdrawals of excess liquidity; the supply of its debt certificates; open market sales of treasury bills; the size of bond-selling auctions; its liquidity withdrawal operations; the quantity of liquidity drained from banks; the auctioned amount of liquidity bills; the volume of absorption swaps; the sterilised amount of surplus reserves; the weekly issue of monetary bills; the share of maturing bonds not reinvested; the monthly volume of bonds left to mature without reinvestment; its sales from the bond portfolio; disposals of corporate bonds; the quarterly sales target for long-dated gilts; the stock of central bank paper used to mop up cash; the issuance of stabilisation bonds; the absorbed amount at the variable-rate reverse repo auctions; sales of securities from its own account; the offering of one-month draining operations; the mopping-up of surplus cash; the pace at which its bond holdings run down; the amount of non-reinvested principal payments; the planned unwinding of its asset holdings; the volume of reserves taken out of the system; SNB Bill issuance to absorb sight deposits"),
            things("the shedding of its gilts; balance sheet normalisation; operations that drain reserves; the sale of bonds from its portfolio"),
            MORE, LESS, HAWKISH_UP, BANK,
        ),
        Kind(
            "reserve requirements",
            things("the reserve requirement; reserve requirement ratios; the required reserve ratio; the cash reserve ratio; the statutory liquidity ratio; minimum reserves for banks; the countercyclical capital buffer; the required reserves of banks; the ratio of required reserves; reserve requirements on deposits; the reserve requirement for banks; the required reserve ratio for large banks; reserve ratios; the minimum reserve ratio; the obligatory reserve rate; capital requirements for mortgages; the buffer requirement; the risk weights on mortgages; the reserve requirement ratio for financial institutions; the reserve requirement ratio; minimum reserve requirements; the reserve requirement on lira deposits; the compulsory deposit ratio; banks' mandatory reserves; the reserve ratio for large banks; the required reserves on demand deposits; the statutory reserve requirement; the legal reserve ratio; the reserve requirement on time deposits; the marginal reserve requirement; the average reserve requirement; the reserve ratio for rural lenders; the reserve obligation of commercial banks; the reserve requirement for short-term liabilities; the cash reserve requirement; the reserve requirement on savings deposits; the required reserves against foreign borrowing; the liquid asset requirement; the reserve norm; the minimum liquidity requirement; the reserve ratio for financial institutions; the unremunerated reserve requirement; the primary reserve ratio; the secondary reserve requirement; the daily minimum reserve balance; the reserve requirement for universal banks; the legal encaje on peso deposits; the rate of mandatory reserves; the amount banks must hold at the central bank; the deposit reserve ratio; the statutory cash ratio; the reserve requirement on interbank borrowing; the reserve coefficient; the reserve requirement on non-resident deposits"),
            things("the share of deposits that banks must hold with it; the reserve ratio for foreign currency deposits; compulsory reserves"),
            RATES_UP, RATES_DOWN, HAWKISH_UP, BANK,
        ),
        Kind(
            "lending to banks",
            things("its cheap loans to banks; the funding-for-lending scheme; its lending facilities; liquidity injections; its longer-term refinancing operations; the term funding scheme; the liquidity that it provides; its credit facilities; refinancing operations for banks; its lending to banks; liquidity support; loans to banks at favourable rates; its programme of funding for lending; the supply of reserves; open market operations that inject liquidity; its repo operations; its lending programmes; loans to small firms through banks; emergency lending; its liquidity operations; the discount window; dollar liquidity; funding for banks; the pandemic lending facility; its refinancing of banks; credit to banks; its medium-term lending; special loans; the volume of liquidity offered; the provision of liquidity; its lending to commercial banks; the size of its repo operations; the liquidity offered at the weekly tender; the amount of cheap loans to banks; the allotment at the main refinancing operation; the funding-for-lending facility; the pledged supplementary lending; the volume of overnight repos supplying cash; its emergency liquidity provision; the allowance for term funding; the loan support programme; the three-month repo allotment; the net injection through seven-day operations; the bank intermediated lending support facility; the volume of one-year loans to banks; its collateralised loans to credit institutions; the refinancing provided to banks; the credit line for banks; the supply of term repo funding; long-term repo allotments; the variable-rate repo volume; the special liquidity facility for mutual funds; the size of the standing repo facility; central bank credit to financial institutions; the amount lent at the discount window; the provision of dollar liquidity to banks; the quantity of funds on offer at its tenders; funding under the growth-based lending scheme; its lira funding of banks; the open market funding of lenders; the relending facility for green projects; its advances to banks; loans under the bank term funding programme; the supply of reserves through fine-tuning operations; its six-month lending to banks; the on-lending scheme for exporters; the borrowing allowance under the term facility"),
            things("its subsidised lending programme; the supply of liquidity to banks; targeted refinancing operations; its relending quota"),
            MORE, LESS, DOVISH_UP, BANK,
        ),
        Kind(
            "prices and wages",
            things("inflation; core inflation; consumer prices; wages; headline inflation; producer prices; services inflation; wage growth; inflation expectations; food prices; import prices; unit labour costs; energy prices; price pressures; rents; average earnings; the consumer price index; commodity prices; prices; nominal wages; prices of services; negotiated wages; cost pressures; prices for food and energy; the price level; core CPI; wage pressures; selling prices; prices of raw materials; salaries; expected inflation; wholesale prices; annual inflation; the rate of inflation; inflationary pressures; price growth; basic pay; housing rents; retail prices; gasoline prices; electricity prices; consumer price inflation; trimmed mean inflation; non-tradable inflation; labour costs; private sector pay; contract wages; the GDP deflator; import price inflation; construction costs; price expectations; imported inflation; the inflation rate; earnings growth; grocery prices; prices of manufactured goods; wage demands; average hourly earnings; the harmonised index of consumer prices; the trimmed mean measure; underlying price pressures; compensation per employee; wage drift; the PCE price index; household inflation expectations; market-based inflation compensation; goods price inflation; firms' selling price expectations; input costs; the Wage Price Index; regular pay excluding bonuses; electricity tariffs; petrol prices; domestic inflation; non-tradables inflation; shelter costs; the employment cost index; the median inflation rate; farm-gate prices; cost pressures on firms; the prices charged component of the PMI"),
            things("CPI inflation; pay settlements; the price of fuel; underlying inflation; goods prices; hourly compensation; house prices; the cost of living"),
            ECONOMY_UP, ECONOMY_DOWN, HAWKISH_UP,
        ),
        Kind(
            "activity",
            things("economic activity; output; consumer spending; retail sales; exports; industrial production; private investment; business investment; aggregate demand; employment; household consumption; bank lending; new orders; job vacancies; housing starts; capacity utilisation; credit to households; real GDP; hiring; gross domestic product; the economy; demand; orders for capital goods; investment in equipment; manufacturing activity; the purchasing managers' index; private consumption; fixed investment; credit growth; the demand for labour; construction; the services sector; mortgage lending; external demand; vacancies; disposable incomes; business confidence; factory orders; sales of new homes; loans to companies; the volume of trade; production; growth; GDP growth; economic growth; the pace of growth; household spending; industrial output; residential investment; machinery orders; exports of goods; the labour market; job creation; nonfarm employment; new hires; home sales; car production; freight volumes; tourism; corporate profits; public investment; imports; consumer credit; vehicle registrations; the expansion; overall demand; service sector activity; world trade; global growth; inventory investment; farm output; construction activity; business sentiment; the services PMI; the manufacturing PMI; the Tankan index; mortgage approvals; export orders; gross fixed capital formation; the volume of construction work; output in the mining sector; passenger numbers at airports; the Ifo business climate index; real household spending; the output of the services sector; freight traffic; gross value added; agricultural output"),
            things("domestic demand; manufacturing output; payrolls; car sales; capital spending; building permits; consumer confidence; lending to firms; labour force participation; tourist arrivals"),
            ECONOMY_UP, ECONOMY_DOWN, HAWKISH_UP,
        ),
        Kind(
            "slack",
            things("unemployment; the unemployment rate; jobless claims; spare capacity; layoffs; bankruptcies; economic slack; idle capacity; insolvencies; the number of people out of work; slack in the labour market; the jobless rate; the number of unemployed; job losses; unused capacity; business closures; the number of job seekers; applications for unemployment benefits; short-time work; excess capacity; long-term unemployment; youth unemployment; the rate of unemployment; unutilised capacity; dismissals; the output shortfall; corporate bankruptcies; business failures; part-time work for economic reasons; weekly jobless claims; the degree of slack; defaults; nonperforming loans; the unemployed population; temporary layoffs; company insolvencies; labour market slack; unsold homes; unwanted stocks; the number of jobless people; initial jobless claims; continuing claims for benefits; business insolvencies; the amount of idle capacity; excess supply in the economy; the degree of economic slack; short-time working; involuntary part-time work; the claimant count; the number of furloughed workers; loan defaults; non-performing loans; the underutilisation rate; the pool of job seekers; idle plant; unsold inventories; office vacancies; the number of discouraged workers; registered unemployment; plant closures; the broad U-6 measure of unemployment; mortgage arrears; announced job cuts; applications for unemployment benefit; the share of firms short of demand; the ratio of job seekers to vacancies; the number of unemployed graduates; the number of vacant shops; excess capacity in industry"),
            things("joblessness; the margin of unused resources; corporate failures; redundancies; underemployment; new claims for unemployment benefits"),
            Direction((), verbs("rise/rose/risen; increase; climb; grow/grew/grown; move up; pick up; go up/went up/gone up; jump; mount; edge up"), ("a rise in", "an increase in", "a jump in", "growth in"), HIGH),
            Direction((), verbs("fall/fell/fallen; decline; drop; decrease; shrink/shrank/shrunk; ease; move down; go down/went down/gone down; diminish; dwindle; edge down; recede"), ("a fall in", "a decline in", "a drop in", "a decrease in"), LOW),
            DOVISH_UP,
        ),
        Kind(
            "uncertainty",
            things("uncertainty; economic uncertainty; uncertainty about the outlook; downside risks; geopolitical risks; volatility in financial markets; policy uncertainty; the risks to the outlook; doubts about the recovery; market volatility; uncertainties; tensions in financial markets; the uncertainty surrounding the forecast; risks to financial stability; risk aversion; the range of possible outcomes; trade policy uncertainty; fears; concerns about growth; political uncertainty; uncertainty over energy supply; downside risks to growth; the degree of uncertainty; financial market strains; uncertainty about the inflation outlook; market tensions; uncertainty in the global economy; worries about banks; geopolitical uncertainty; uncertainty among firms; the risks surrounding the projection; unease; stress in funding markets; volatility; risks; the uncertainty; economic policy uncertainty; uncertainty over tariffs; implied volatility in equities; the VIX; bond market volatility; exchange rate volatility; geopolitical tensions; the dispersion of forecasts; disagreement among forecasters; uncertainty surrounding the projections; the variance of growth forecasts; uncertainty about inflation; uncertainty about fiscal policy; uncertainty around energy supply; the width of the forecast fan; firms' uncertainty about sales; household uncertainty over incomes; the uncertainty index; uncertainty about the neutral rate; uncertainty about the transmission of policy; model uncertainty; the range of estimates for potential growth; swings in capital flows; the MOVE index; volatility of oil prices; global uncertainty; uncertainty about demand from abroad; doubts about the reliability of the data; the unpredictability of supply shocks; uncertainty linked to the election; uncertainty over the war; the spread between optimistic and pessimistic forecasts; uncertainty about the labour market; the perceived unpredictability of trade rules; option-implied uncertainty about rates; the standard deviation of survey answers"),
            things("the uncertainty about trade; nervousness among investors; the risk of a recession; the unpredictability of the environment; stress in markets"),
            Direction((), verbs("rise/rose/risen; increase; grow/grew/grown; intensify; mount; climb; widen; go up/went up/gone up; build/built/built; heighten"), ("a rise in", "an increase in"), ("higher", "greater")),
            Direction((), verbs("fall/fell/fallen; decline; decrease; diminish; ease; recede; abate; subside; lessen; go down/went down/gone down; fade; narrow; dissipate"), ("a fall in", "a decline in", "a decrease in", "a reduction in"), ("lower", "smaller")),
            {"cb_enhanced_uncertain_label": ("High Uncertainty", "Low Uncertainty")},
        ),
    ),
    "earnings-call": (
        Kind(
            "what should grow",
            things("revenue; net sales; gross margin; operating income; orders; bookings; our backlog; earnings per share; free cash flow; organic sales; comparable sales; subscribers; volumes; adjusted EBITDA; traffic; same-store sales; deliveries; the customer base; net income; operating margins; advertising revenue; average revenue per user; sales; total revenue; cash flow; earnings; EBITDA; our margins; gross profit; profit; occupancy; market share; customer retention; assets under management; service revenue; recurring revenue; loan growth; deposits; productivity; the pipeline; units sold; demand; demand for our products; backlog; net income per share; cash from operations; throughput; room rates; the gross margin; return on capital; royalty income; core sales; customer satisfaction; premiums written; net interest income; sales per square foot; revenue per available room; production; win rates; organic growth; earnings growth; sales growth; operating profit; gross profit margin; the operating margin; adjusted earnings; new orders; the order book; unit volumes; store traffic; guest counts; case volumes; cloud revenue; subscription revenue; paying users; monthly active users; members; retention; conversion rates; average selling prices; net new customers; contract wins; production capacity; fee revenue; transaction volumes; loans; same-property income; funds from operations; dividends per share; returns; ridership; load factors; the attach rate; like-for-like sales; international revenue; licence revenue; utilisation; output; system-wide sales; engagement; new customers; booked business"),
            things("the top line; new business; profitability; shipments; passenger numbers; fee income; active accounts; billings; utilisation of our plants; segment profit"),
            WE_UP, WE_DOWN, {"ec_financial_sentiment": ("Positive", "Negative"), "ec_growth": ("Positive Growth", "Negative Growth")}, COMPANY,
        ),
        Kind(
            "what should shrink",
            things("customer churn; operating costs; the net loss; input costs; debt; net leverage; credit losses; attrition; warranty claims; freight costs; scrap rates; bad debt; overdue receivables; unplanned downtime; delinquencies; cancellations; cash burn; restructuring charges; interest expense; losses in the segment; returns and complaints; excess inventory; expenses; our costs; labour costs; SG&A expenses; costs; churn; operating expenses; the loss; operating losses; claims; energy costs; past-due loans; net charge-offs; shrink; employee turnover; headwinds; inefficiencies; the backlog of repairs; lost-time injuries; material costs; product returns; provisions for loan losses; impairments; accidents; shipping costs; outages; delays; supply constraints; the loss ratio; the leverage ratio; corporate costs; downtime; customer complaints; negative free cash flow; the deficit; waste; rework; litigation expenses; fuel costs; losses; cost of sales; operating expense; general and administrative expenses; interest costs; wage costs; commodity costs; raw material costs; logistics costs; indebtedness; total debt; net debt; defaults; nonperforming assets; allowance for credit losses; customer defections; customer losses; churn rates; scrap; breakdowns; recalls; service interruptions; disputes; inventory; bottlenecks; lead times; our tax rate; penalties; theft; vacancies in our buildings; empty miles; the cost base; capital intensity; complaints; absenteeism; acquisition costs; the combined ratio; turnover; unplanned outages; past dues; shortages; inventory write-offs; overtime; our carbon emissions; injury rates; overruns"),
            things("turnover of staff; charge-offs; our overhead; defect rates; days sales outstanding; energy bills; the cost of goods; borrowings; safety incidents; write-downs; order cancellations; nonperforming loans"),
            WE_UP_BAD, WE_DOWN_BAD, {"ec_financial_sentiment": ("Negative", "Positive")}, COMPANY,
        ),
    ),
}

# What befalls a company, for its impact: what happens, and what it does to a good or to a bad thing.

EVENTS = (
    things("foreign exchange; the new product line; the strike; higher volumes; the acquisition; the weather; supply chain disruption; the pandemic; our pricing actions; tariffs; the change in mix; automation; the plant closure; lower fuel prices; the divestiture; regulatory changes; the restructuring; the hurricane; stimulus payments; inflation; the calendar shift; the contract win; the drought; a stronger dollar; the trade dispute; favourable mix; higher interest rates; component shortages; the new plant; the merger; the cyber attack; the loss of a customer; the partnership; store closures; the price increase; our cost programme; the fire at our site; new regulation; the ramp-up of production; the softness in China; weak demand; operating leverage; share repurchases; the storm; the conflict; the ban; the marketing campaign; the delay in approvals; productivity gains; lower demand; labour shortages"),
    things("currency; the recall; the new tax law; the outage; our loyalty programme; the shift to the cloud; port congestion; the launch; the lockdowns; scale"),
)
HELPS_GOOD = verbs("boost; raise; strengthen; contribute to; aid; fuel; underpin; lift; increase; improve; support; help; add to; benefit; drive up/drove up/driven up; bolster; enhance; push up")
HURTS_GOOD = verbs("hurt/hurt/hurt; harm; impair; pressure; constrain; undermine; cut/cut/cut; take away from/took away from/taken away from; damage; delay; decrease; reduce; weigh on; depress; lower; dent; squeeze; limit; erode; drag down; cut into/cut into/cut into; hold back/held back/held back")
RAISES_BAD = verbs("increase; lift; aggravate; boost; raise; push up; drive up/drove up/driven up; add to; inflate; worsen; swell/swelled/swollen")
LOWERS_BAD = verbs("reduce; limit; lessen; decrease; mitigate; relieve; curb; lower; cut/cut/cut; bring down/brought down/brought down; offset/offset/offset; shrink/shrank/shrunk; ease; trim; contain; pull down")

# What stays as it is says nothing.
UNCHANGED = ("{T} {was} unchanged{when}.", "{T} {was} broadly stable{when}.", "There was no change in {t}{when}.", "{T} remained flat{when}.", "{T} stayed where {it} {was}{when}.")
UNCHANGED_BY = ("{A} decided to leave {t} unchanged.", "{A} kept {t} unchanged{when}.", "{A} decided to maintain {t}.", "{A} left {t} as {it} {was}{when}.")
UNCHANGED_TESTED = ("{T} did not change{when}.", "{T} showed no change{when}.")

# Frames, learnt and tested: t a thing, a who acts, e what befalls, n a rise or fall in it; of the direction word v is the base, past, pp and g its forms. What is in capitals begins the sentence.
DOES = (
    ("{A} decided to {v} {t}.", "{A} {past} {t}{when}.", "{A} will {v} {t}{when_ahead}.", "{A} {has} {pp} {t}{when}.", "It was decided to {v} {t}.", "{A} voted to {v} {t}.", "{T} {was} {pp}{when}.", "{A} {is} {g} {t}.",
     "{A} announced that {t} would be {pp}.", "{A} intends to {v} {t}{when_ahead}.", "{A} began {g} {t}{when}.", "{A} expects to {v} {t} further.", "{A} {past} {t} again.", "Today {a} {past} {t}.", "{A} considered it right to {v} {t}{when_ahead}.", "{N} {t} was approved.", "{A} announced {n} {t}."),
    ("{A} agreed to {v} {t}.", "{A} saw a case for {g} {t}.", "{T} will be {pp}{when_ahead}.", "At its meeting, {a} {past} {t}.", "{A} continued to {v} {t}.", "{A} opted for {n} {t}."),
)
WE_DO = (
    ("{A} {past} {t}{when}.", "{A} {has} {pp} {t}{when}.", "{A} {past} {t} by {percent}.", "{A} managed to {v} {t}.", "{A} will {v} {t}{when_ahead}.", "{A} continued to {v} {t}{when}.", "{A} expects to {v} {t}{when_ahead}.", "{A} {is} on track to {v} {t}."),
    ("{A} succeeded in {g} {t}.", "{A} {was} able to {v} {t}{when}.", "{A} plans to {v} {t}{when_ahead}."),
)
GOES = (
    ("{T} {past}{when}.", "{T} {has} {pp}{when}.", "{T} {past} by {percent}{when}.", "{T} {is} expected to {v}{when_ahead}.", "{T} continued to {v}{when}.", "There was {n} {t}{when}.", "We saw {n} {t}{when}.", "{T} {past} further.", "{T} {past} for the third time in a row.", "The data show that {t} {past}{when}.",
     "{T} {has} begun to {v}.", "{T} {past} sharply{when}.", "{T} {past} slightly{when}.", "{T} {past} more than we had thought.", "{N} {t} was reported{when}.", "{T} {is} likely to {v}{when_ahead}.", "{T} will {v}{when_ahead}."),
    ("{When} {t} {past}.", "It turned out that {t} had {pp}.", "{T} {was} seen to {v}{when}.", "{T} {past} noticeably, as figures released last week show.", "Reports speak of {n} {t}.", "{T} {past} markedly."),
)
IS = (
    ("{T} {was} {state}{when}.", "{T} {was} {state} than a year ago.", "{T} {was} {state} than expected.", "{T} {was} {state} than in the period before.", "{T} {is} expected to be {state}{when_ahead}.", "{T} came in {state}{when}.", "We see {state} {bare}.", "{State} {bare} {was} reported{when}."),
    ("{T} turned out {state}{when}.", "{T} ended the period {state}.", "{State} {bare} stood out{when}."),
)
BEFALLS = (
    ("{E} {past} {t}{when}.", "{E} {has} {pp} {t}.", "{T} {was} {pp} by {e}.", "{E} will {v} {t}{when_ahead}.", "We expect {e} to {v} {t}{when_ahead}.", "{E} {past} {t} by {percent}.", "As we said, {e} {past} {t}."),
    ("In this period {e} {past} {t}.", "{E} continued to {v} {t}.", "{E} {is} likely to {v} {t}."),
)
UNTOUCHED = ("{E} did not affect {t}{when}.", "{E} had no effect on {t}{when}.", "We expect no impact of {e} on {t}.", "{T} and {e} were discussed{when}.")
WHEN = {
    "central-bank": (" in the third quarter; in May; over the year; last month; in recent months; this year; since the last meeting; compared with a year ago; in the second half", " in the next quarter; in the coming months; next year; from July; over the medium term; by the end of the year"),
    "earnings-call": (" in the quarter; year over year; this year; in North America; sequentially; compared with last year; in the second half; for the full year; in the segment", " next quarter; in the coming year; in the second half; over time; from here"),
}
PERCENT = ("2 percent", "0.3%", "half a point", "5%", "11 percent", "1.5 percentage points", "8%", "a quarter", "12%")

# Pairs of a thing and a direction word that are learnt apart and tested together.
HELD_OUT_PAIRS = 0.15
PAIRS, THINGS = "new pairs", "new things"
UNCHANGED_SHARE = 0.15


def is_plural(noun: str) -> bool:
    head = re.split(" (?:of|that|under|for|in|to|about|among|over|on|at|from|with|through|by|against|between|surrounding|excluding|set) ", noun)[0]
    return (head.endswith("s") and not head.endswith("ss")) or head in ("we", "people", "our people")


# Frames and things are written for one who acts; of `we` and of several the words that go with them are these.
ACTS = tuple((f" {verb}s to ", f" {verb} to ") for verb in ("expect", "intend", "plan"))
AGREEMENT = {
    "we": ((" its ", " our "), (" it buys", " we buy"), (" it provides", " we provide"), *ACTS),
    "they": ((" its ", " their "), (" it buys", " they buy"), (" it provides", " they provide"), *ACTS),
}


def fill(frame: str, package: str, rng: random.Random, **words: str | Verb) -> str:
    """A sentence: `t` the thing, `a` who acts, `e` what befalls, `verb` and `n` the direction."""
    whens, aheads = (things(text) for text in WHEN[package])
    subject = words["t"] if "{it}" in frame else words.get("a") if frame.startswith(("{A}", "Today")) else words.get("e") if frame.startswith("{E}") else words["t"]
    plural, verb = is_plural(str(subject)), words.get("verb")
    when = rng.choice(whens)
    values = {k: v for k, v in words.items() if isinstance(v, str)} | {
        "when": f" {when}" if rng.random() < 0.6 else "", "when_ahead": f" {rng.choice(aheads)}" if rng.random() < 0.6 else "", "When": f"{when[0].upper()}{when[1:]},",
        "percent": rng.choice(PERCENT), "was": "were" if plural else "was", "has": "have" if plural else "has", "is": "are" if plural else "is", "it": "they" if plural else "it",
    }
    if isinstance(verb, Verb):
        values |= {"v": verb.base, "past": verb.past, "pp": verb.participle, "g": verb.gerund}
    thing, state = str(words["t"]), str(words.get("state", ""))
    values |= {"bare": thing.split(" ", 1)[1] if thing.split(" ")[0] in ("the", "our", "its") else thing, "State": state.capitalize()}
    values |= {k.upper(): f"{v[0].upper()}{v[1:]}" for k, v in values.items() if k in ("t", "a", "e", "n") and v}
    actor = str(words.get("a", ""))
    sentence = frame.format(**values)
    for of_one, of_more in AGREEMENT["we" if actor == "we" else "they"] if is_plural(actor) else ():
        sentence = sentence.replace(of_one, of_more)
    return sentence


def is_held_out(thing: str, verb: Verb) -> bool:
    return draw(f"{thing}|{verb.base}", 0, "pair") < HELD_OUT_PAIRS


def pair(kind: Kind, choice: tuple[Verb, ...], test: str | None, rng: random.Random) -> tuple[str, Verb]:
    """A thing and a direction word that may be learnt, or of the half of the test part that is named."""
    while True:
        thing, verb = rng.choice(kind.tested if test == THINGS else kind.learnt), rng.choice(choice)
        if test == THINGS or is_held_out(thing, verb) == (test == PAIRS):
            return thing, verb


def statement(package: str, kind: Kind, test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    part = 1 if test else 0
    actors = kind.actors[part]
    if test != PAIRS and rng.random() < UNCHANGED_SHARE and "cb_stance_label" in kind.means:
        thing = rng.choice(kind.tested if test else kind.learnt)
        frames = UNCHANGED_TESTED if test else UNCHANGED_BY if actors and rng.random() < 0.5 else UNCHANGED
        return fill(rng.choice(frames), package, rng, t=thing, a=rng.choice(actors) if actors else ""), {"cb_stance_label": "Neutral"}
    up = rng.random() < 0.5
    direction, labels = (kind.up if up else kind.down), kind.labels(up)
    acts = bool(direction.does) and (not direction.goes or rng.random() < 0.4)
    choice = direction.does if acts else direction.goes
    thing, verb = pair(kind, choice, test, rng)
    words = {"t": thing, "verb": verb, "n": rng.choice(direction.nouns), "a": rng.choice(actors) if actors else ""}
    if test != PAIRS and direction.states and rng.random() < 0.15:
        state = rng.choice(direction.states)
        frames = tuple(f for f in IS[part] if state not in ("up", "down") or not ("than" in f or "bare" in f))
        words["state"] = state
    else:
        frames = (WE_DO if acts and package == "earnings-call" else DOES if acts else GOES)[part]
        # A noun is no pair with the verb that was drawn.
        frames = tuple(f for f in frames if test != PAIRS or "{n}" not in f.lower())
    return fill(rng.choice(frames), package, rng, **words), labels


def befallen(test: str | None, rng: random.Random) -> tuple[str, dict[str, str]]:
    """What an event does to a thing that should grow, or to one that should shrink."""
    good, bad = KINDS["earnings-call"]
    event, is_good, helps = rng.choice(EVENTS[1 if test == THINGS else 0]), rng.random() < 0.55, rng.random() < 0.5
    kind = good if is_good else bad
    if not test and rng.random() < UNCHANGED_SHARE:
        return fill(rng.choice(UNTOUCHED), "earnings-call", rng, t=rng.choice(kind.learnt), e=event), {"ec_material_impact": "Neutral"}
    thing, verb = pair(kind, (HELPS_GOOD if helps else HURTS_GOOD) if is_good else (LOWERS_BAD if helps else RAISES_BAD), test, rng)
    labels = {"ec_material_impact": "Positive Impact" if helps else "Negative Impact", "ec_financial_sentiment": "Positive" if helps else "Negative"}
    return fill(rng.choice(BEFALLS[1 if test else 0]), "earnings-call", rng, t=thing, e=event, verb=verb), labels
