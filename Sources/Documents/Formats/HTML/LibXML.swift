internal import CXML2

/// Initializes libxml2 once.
package enum LibXML {
  private static let isReady: Void = xmlInitParser()
  package static func initialize() { _ = isReady }
}
