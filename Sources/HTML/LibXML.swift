internal import CXML2

/// libxml2's one-time set-up.
package enum LibXML {
  private static let isReady: Void = xmlInitParser()
  package static func initialize() { _ = isReady }
}
