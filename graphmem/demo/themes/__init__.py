"""The kinds of work the sample episodes tell of: data only, one module a theme."""

from __future__ import annotations

from graphmem.demo.theme import Theme
from graphmem.demo.themes.bugs import BUGS
from graphmem.demo.themes.clients import CLIENTS
from graphmem.demo.themes.collection import COLLECTION
from graphmem.demo.themes.exchanges import EXCHANGES
from graphmem.demo.themes.flights import FLIGHTS
from graphmem.demo.themes.incidents import INCIDENTS
from graphmem.demo.themes.legacy import LEGACY
from graphmem.demo.themes.payments import PAYMENTS
from graphmem.demo.themes.refunds import REFUNDS
from graphmem.demo.themes.sales_reports import SALES_REPORTS

THEMES: tuple[Theme, ...] = (
    REFUNDS,
    INCIDENTS,
    LEGACY,
    BUGS,
    CLIENTS,
    SALES_REPORTS,
    COLLECTION,
    FLIGHTS,
    EXCHANGES,
    PAYMENTS,
)
