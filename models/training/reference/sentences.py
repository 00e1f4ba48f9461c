"""Sentences written for this project: a small grammar of central bank and earnings call language, and hard cases.

The tokenizers of the reference packages are trained on the first, so that no text from elsewhere goes into them.
"""

import random

BODIES = "The Committee|The Governing Council|The Board|The Monetary Policy Committee|Members|Several participants|Staff|Management|Our team|The Company|Analysts|Investors|Households|Firms|Exporters|Lenders|Regulators|The Executive Board|Policymakers|Customers".split("|")
VERBS = "decided to raise|decided to lower|agreed to hold|expects|observed|noted|discussed|reviewed|anticipates|remains concerned about|judged|reported|delivered|highlighted|reaffirmed|withdrew|projected|sees|cannot rule out|welcomed".split("|")
THINGS = "the policy rate|inflation|core inflation|unemployment|wage growth|the balance sheet|asset purchases|the exchange rate|household spending|housing prices|mortgage lending|crude oil prices|gold reserves|money supply|foreign demand|exports to Asia|gross margin|operating income|free cash flow|revenue guidance|headcount|share repurchases|backlog|capital expenditure|cybersecurity spending|raw material costs|tariffs|credit spreads|net interest margin|subscriber growth|same-store sales|supply chain disruptions|regulatory approval|geopolitical tensions|the labour market|long-term yields|productivity|tax rates|dividends|refinancing needs".split("|")
MANNERS = "moderately|considerably|gradually|unexpectedly|by 25 basis points|by 0.75 percentage points|by 12%|to $3.4 billion|over the medium term|in the third quarter|compared with last year|relative to the February projections|in line with our 2% target|for fiscal 2023|at an annual rate of 4.1 per cent|on a constant-currency basis|beyond the forecast horizon|despite headwinds|amid considerable uncertainty|until the recovery is well under way".split("|")
CLAUSES = "while risks to the outlook were tilted to the downside|because supply bottlenecks have eased|although financial conditions remain tight|as energy prices declined|and this reflects temporary factors|which we believe is sustainable|given the strength of the dollar|if incoming data confirm the outlook|partly offset by higher freight costs|so that expectations stay anchored|whereas services prices accelerated|after adjusting for one-time items|since competitors cut their prices|even though demand for platinum softened|as geopolitical tensions disrupted shipping".split("|")
OPENERS = "|Looking ahead, |In March 2021, |However, |Turning to the euro area, |Thank you, Operator. |As we said on last quarter's call, |On balance, |By contrast, |Excluding food and energy, |Good morning, everyone; |At its meeting on 14 June 2022, |“Frankly,” ".split("|")


def written(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        text = f"{chance.choice(OPENERS)}{chance.choice(BODIES)} {chance.choice(VERBS)} {chance.choice(THINGS)} {chance.choice(MANNERS)}"
        if chance.random() < 0.5:
            text += f", {chance.choice(CLAUSES)}"
        if chance.random() < 0.2:
            text += f" ({chance.randrange(1, 4000) / 10}% vs. {chance.randrange(1, 99999):,} in {chance.randrange(1990, 2030)})"
        made.append(text + chance.choice(("." * 8) + "?!;"))
    return made


HARD = [
    "The Committee decided to raise the policy rate by 25 basis points.",
    "",
    " ",
    " \t\n  \r\n ",
    "a",
    "¿Qué pasó? São Paulo, Zürich, Malmö, Kraków: naïve façade, coöperate, Ångström.",
    "e\u0301te\u0301 and cafe\u0301 beside été and café; o\u0308ffnen; A\u030a; q\u0323\u0307",
    "İstanbul’da faiz oranı ıslak; STRASSE straße ẞ; ΟΔΟΣ ΣΑΣ σας; Ǆ ǅ ǆ",
    "“Curly” ‘quotes’ – en dash — em dash … ellipsis ‚low‘ „german“ «français» ‹x›",
    "日本銀行は金融政策決定会合を開いた。政策金利は0.1%です。",
    "中国人民银行下调存款准备金率0.5个百分点,释放长期资金约1万亿元。",
    "한국은행 금융통화위원회는 기준금리를 동결하였다.",
    "𠀀𠀁 rare ideographs 𪜀 and 𫝀 beside 㐀 and 豈 and 丽",
    "Банк России принял решение сохранить ключевую ставку.",
    "قرر البنك المركزي رفع أسعار الفائدة. הבנק המרכזי העלה את הריבית.",
    "भारतीय रिज़र्व बैंक ने रेपो दर बढ़ाई। ธนาคารแห่งประเทศไทย",
    "😀 emoji 👍🏽 family 👨‍👩‍👧‍👦 flag 🇪🇺 keycap 1️⃣ heart ❤️ done ✅",
    "tabs\tand\nnewlines\r\nand\vvertical\ffeeds",
    "control\x00characters\x01are\x07here\x1f and \x7f del \x80\x85\x9f C1",
    "zero\u200bwidth\u200cjoin\u200der\ufeff bom \u2060 word joiner \u00ad soft hyphen",
    "no-break\u00a0space, thin\u2009space, ideographic\u3000space, narrow\u202fspace, line\u2028separator, paragraph\u2029separator",
    "replacement \ufffd character and private use \ue000 \uf8ff and unassigned \u0378",
    "fullwidth ABC123!？ and ﬁ ﬂ ligatures, ½ ¼ ², ① ② Ⅷ ㎏ ℃ № ™ ®",
    "tilde ~ ～ ∼ and minus − - – hyphen ‐ non-breaking‑hyphen",
    "$1,234,567.89 (€3.5bn; £0.7m; ¥150/US$) +12.5% −0.25pp 1/2 3×4 10^6 #1 @home &c. *note* _x_ [1] {2} <3>",
    "U.S. GDP grew 2.1% q/q (saar) in Q3'21; see www.example.com/path?x=1&y=2 or mail a.b@c.de",
    "don't won't can't it's we've they're I'll he'd O'Neil rock'n'roll 'tis DON'T IT'S",
    "don’t won’t it’s we’ve they’re",
    "[CLS] [SEP] [MASK] [PAD] [UNK] literally, and <s> </s> <mask> <pad> <unk> too",
    "[CLS][SEP]adjacent<mask> spaced  <mask>  [MASK]end",
    "x" * 120 + " is longer than one word may be",
    "y" * 99 + " " + "z" * 100 + " " + "w" * 101,
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "ALL CAPS HEADLINE: RATES UNCHANGED AT 5.25-5.50 PERCENT",
    "multiple    spaces     inside      and trailing   ",
    "   leading spaces",
    "\n\nleading newlines\n\n",
    "a.b.c...d!!!e???f;;;g:::h---i___j***k",
    "......................................................................",
    "word " * 400,
    "Inflation 2.0 2.1 2.2 2.3 2.4 2.5 " * 60,
    "政策" * 300,
    "é" * 700,
    "The Committee noted that " * 100,
    "1 12 123 1234 12345 123456 1234567 0.1 0.12 .5 5. 1e10 0x1F 1,000 1 000",
    "Ⅰ. Ⅱ) (a) (ii) • bullet ◦ ring ▪ square → arrow ⇒ therefore ≤ ≥ ≠ ≈ ± ∞ √ ∑ µ μ Ω Ω",
    "mixed scripts: policy政策rate率 and ставкаrate",
    "a\u0300\u0301\u0302\u0303\u0304\u0305 stacked marks and lone \u0301 mark, \u0301start",
    "¡hola! §4 ¶2 †note ‡again ‰ ‱ ′ ″ ° ª º",
    "surrogate pairs: 𝒜𝓑𝕮 𝟎𝟏𝟐 🂡 𐍈 𒀀",
    "quote\"inside'and`back´tick",
    "back\\slash and / slash | pipe",
    "‮right to left override‬ and ‏marks‎",
    "The Bank’s Governor—speaking in Paris—said: “We’ll do ‘whatever it takes’.”",
    "Q:\tWhat about margins?\nA:\tThey’re at 41.2%, up 130bps.",
    "Hawkish, dovish, neutral.",
    "▁ lower one eighth block ▁▁ and _ underscore",
    "Ġ and Ċ and Â are byte level letters",
    "ŉ ǰ ΐ ΰ և ẖ ẗ ﬀ ﬃ ﬅ",
    "Ａ full ａ width １ digits ％",
    "##ing and ##s prefixes",
    "end with space ",
    "𝐁𝐨𝐥𝐝 𝘪𝘵𝘢𝘭𝘪𝘤 ⒶⒷ ㈱ ㍻ ﷺ",
]
