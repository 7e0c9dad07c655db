package import Basics

/// A control file for banners, in which a publisher lists banners in order, each with its conditions and views.
package struct ControlFile: Hashable, Sendable {
  package var banners: [Banner] = []
  /// Problems of the file as a whole; those of a banner are in `Banner.problems`.
  package var problems: [FormatProblem] = []

  package init() {}

  /// A banner: HTML pages that are shown to users if its conditions are met.
  package struct Banner: Hashable, Sendable {
    package var name: String
    /// The id of the view that is shown first, or `nil` if the file specifies none.
    package var entry: String?
    /// The conditions of which one must be met.
    package var any: [Condition] = []
    /// The conditions that must all be met.
    package var all: [Condition] = []
    /// The views, in document order.
    package var views: [View] = []
    package var problems: [FormatProblem] = []

    package init(name: String) { self.name = name }

    /// Returns the view with an id, or `nil` if there is none.
    package func view(_ id: String) -> View? { views.first { $0.id.utf8.elementsEqual(id.utf8) } }
  }

  /// An HTML page of a banner, and its place on the screen.
  package struct View: Hashable, Sendable {
    /// The edge of the screen at which a view is shown.
    package enum Origin: String, Hashable, Sendable, CaseIterable { case top, bottom }

    package var id: String
    /// The absolute URL of an HTML page.
    package var file: String
    /// The height in points, of which 16 are one row of the terminal, or `nil` for the full screen.
    package var height: Double?
    package var origin: Origin

    package init(id: String, file: String, height: Double? = nil, origin: Origin = .bottom) {
      self.id = id
      self.file = file
      self.height = height
      self.origin = origin
    }
  }

  /// One condition as written in the file; `BannerJudge` evaluates it.
  package struct Condition: Hashable, Sendable {
    package enum Rule: Hashable, Sendable {
      case onWifi(Bool)
      case neverDisplayed(Bool)
      /// More than this many whole seconds have passed since the banner was last displayed.
      case lastDisplayMinimumSeconds(Double)
      /// The program was launched more than this many times since the banner was last displayed.
      case lastDisplayMinimumLaunches(Double)
      /// The flag with this name is not set.
      case flagNotSet(String)
      case osVersionLessThan(String)
      case appVersionLessThan(String)
      case featureEnabled(String)
      /// A condition with an unknown name, which counts as false and is reported.
      case unknown
      /// A condition with a known name and a value of a wrong type, which counts as false and is reported.
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
