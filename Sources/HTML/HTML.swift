// Bytes of HTML to events: what Formats and Markup share of libxml2, charsets, entities and guards.
internal import CXML2
