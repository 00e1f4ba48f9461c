"""The 26 models and their labels: the one place in which ids and spellings are written."""

from collections.abc import Iterable

RELEVANCY = ("Relevant", "Irrelevant")
FORWARD = ("Forward Looking", "Not Forward Looking")
CLAIM = ("IN_CLAIM", "OUT_OF_CLAIM")

PACKAGES: dict[str, dict[str, tuple[str, ...]]] = {
    "central-bank": {
        "cb_stance_label": ("Hawkish", "Dovish", "Neutral", "Irrelevant"),
        "cb_certain_label": ("Certain", "Uncertain"),
        "cb_enhanced_uncertain_label": ("High Uncertainty", "Low Uncertainty", "Neutral"),
        "cb_inflation_relevancy_label": RELEVANCY,
        "cb_precious_metal_relevancy_label": RELEVANCY,
        "cb_economic_status_relevancy": RELEVANCY,
        "cb_dollar_value_relevancy": RELEVANCY,
        "cb_housing_relevancy": RELEVANCY,
        "cb_foreign_nations_relevancy": RELEVANCY,
        "cb_money_supply_relevancy": RELEVANCY,
        "cb_oil_relevancy": RELEVANCY,
        "cb_labor_market_relevancy": RELEVANCY,
        "cb_claim_projection_label": CLAIM,
        "cb_forward_looking_classification": FORWARD,
    },
    "earnings-call": {
        "ec_forward_looking": FORWARD,
        "ec_claim_projection": CLAIM,
        "ec_financial_sentiment": ("Positive", "Negative", "Neutral"),
        "ec_growth": ("Positive Growth", "Negative Growth", "Neutral"),
        "ec_material_impact": ("Positive Impact", "Negative Impact", "Neutral"),
        "ec_competition_relevancy": RELEVANCY,
        "ec_price_relevancy": RELEVANCY,
        "ec_cyber_risk_relevancy": RELEVANCY,
        "ec_regulatory_risk_relevancy": RELEVANCY,
        "ec_cost_of_capital_relevancy": RELEVANCY,
        "ec_geopolitical_risk_relevancy": RELEVANCY,
        "ec_labor_market_relevancy": RELEVANCY,
    },
}


def not_of(package: str, models: Iterable[str]) -> str:
    """What to say of names that are to be models of a package and are none; empty where all are."""
    unknown = set(models) - set(PACKAGES[package])
    return f"{package} has no model {', '.join(sorted(unknown))}; it has {', '.join(PACKAGES[package])}" if unknown else ""
