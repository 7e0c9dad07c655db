package import Basics

/// A banner control file: banners in document order, each with its conditions and views.
package struct ControlFile: Hashable, Sendable {
  package var banners: [Banner] = []
  /// Problems of the file as a whole; those of a banner are in `Banner.problems`.
  package var problems: [FormatProblem] = []

  package init() {}

  package struct Banner: Hashable, Sendable {
    package var name: String
    /// The id of the view that is shown first, or `nil` if the file has none.
    package var entry: String?
    package var any: [Condition] = []
    package var all: [Condition] = []
    /// The views, in document order.
    package var views: [View] = []
    package var problems: [FormatProblem] = []

    package init(name: String) { self.name = name }

    package func view(_ id: String) -> View? { views.first { $0.id.utf8.elementsEqual(id.utf8) } }
  }

  package struct View: Hashable, Sendable {
    package enum Origin: String, Hashable, Sendable, CaseIterable { case top, bottom }

    package var id: String
    /// The absolute address of an HTML page.
    package var file: String
    /// The height in points, 16 to a row, or `nil` for the full screen.
    package var height: Double?
    package var origin: Origin

    package init(id: String, file: String, height: Double? = nil, origin: Origin = .bottom) {
      self.id = id
      self.file = file
      self.height = height
      self.origin = origin
    }
  }

  /// One condition as written; `BannerJudge` evaluates it.
  package struct Condition: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
      case onWifi(Bool)
      case neverDisplayed(Bool)
      /// Whole seconds since the last display, strictly greater.
      case lastDisplayMinimumSeconds(Double)
      /// Launches since the last display, strictly greater.
      case lastDisplayMinimumLaunches(Double)
      case flagNotSet(String)
      case osVersionLessThan(String)
      case appVersionLessThan(String)
      case featureEnabled(String)
      /// An unknown name, which is false and reported.
      case unknown
      /// A known name with a value of a wrong type, which is false and reported.
      case malformed
    }

    package var name: String
    package var value: JSONValue
    package var rule: Rule

    package init(name: String, value: JSONValue, rule: Rule) {
      self.name = name
      self.value = value
      self.rule = rule
    }
  }
}
