import Basics
package import Foundation

/// Reads control files for banners. A problem contains the banner, the key and the allowed values; the other banners
/// still work.
package enum ControlFileReader {
  /// Reads a control file. Its invalid parts are reported as problems.
  ///
  /// - Throws: `JSONFailure` if the bytes are not JSON.
  package static func read(_ bytes: Data) throws(JSONFailure) -> ControlFile {
    let value = try JSONReader.parse(bytes)
    var file = ControlFile()
    guard case .object(let root) = value else {
      file.problems.append(FormatProblem(at: "$", message: "must be an object whose keys are banner names"))
      return file
    }
    file.banners = root.members.map { banner($0.key, $0.value) }
    return file
  }

  private static func banner(_ name: String, _ value: JSONValue) -> ControlFile.Banner {
    var banner = ControlFile.Banner(name: name)
    guard case .object(let object) = value else {
      banner.report("must be an object with entry, conditions and views")
      return banner
    }
    for member in object.members {
      switch member.key {
      case "entry":
        if case .string(let entry) = member.value {
          banner.entry = entry
        } else {
          banner.report("entry", "must be the id of a view, a string")
        }
      case "conditions": readConditions(member.value, &banner)
      case "views": readViews(member.value, &banner)
      case _:
        banner.report(member.key, "is not known here; allowed are entry, conditions and views")
      }
    }
    if let entry = banner.entry {
      if banner.view(entry) == nil {
        banner.report("entry", "names the view \"\(entry)\", which is not in views")
      }
    } else if object["entry"] == nil {
      banner.report("entry", "is missing; name the view to show first")
    }
    return banner
  }

  private static func readConditions(_ value: JSONValue, _ banner: inout ControlFile.Banner) {
    guard case .object(let groups) = value else {
      if !value.isNull { banner.report("conditions", "must be an object with any and all") }
      return
    }
    for group in groups.members {
      guard group.key == "any" || group.key == "all" else {
        banner.report("conditions", group.key, "is not known here; allowed are any and all")
        continue
      }
      guard case .object(let members) = group.value else {
        if !group.value.isNull { banner.report("conditions", group.key, "must be an object of conditions") }
        continue
      }
      let conditions = members.members.map { member in
        let condition = ControlFile.Condition(
          name: member.key, value: member.value, rule: rule(member.key, member.value))
        if let problem = problem(condition) {
          banner.report("conditions", group.key, member.key, problem)
        }
        return condition
      }
      if group.key == "any" { banner.any = conditions } else { banner.all = conditions }
    }
  }

  /// Returns the rule of a condition, given its name and value.
  private static func rule(_ name: String, _ value: JSONValue) -> ControlFile.Condition.Rule {
    func text(_ make: (String) -> ControlFile.Condition.Rule) -> ControlFile.Condition.Rule {
      if case .string(let text) = value { make(text) } else { .malformed }
    }
    func flag(_ make: (Bool) -> ControlFile.Condition.Rule) -> ControlFile.Condition.Rule {
      if case .bool(let flag) = value { make(flag) } else { .malformed }
    }
    func number(_ make: (Double) -> ControlFile.Condition.Rule) -> ControlFile.Condition.Rule {
      if case .number(let text) = value, let number = Double(text), number.isFinite {
        make(number)
      } else {
        .malformed
      }
    }
    switch name {
    case "onWifi": return flag { .onWifi($0) }
    case "neverDisplayed": return flag { .neverDisplayed($0) }
    case "lastDisplayMinimumSeconds": return number { .lastDisplayMinimumSeconds($0) }
    case "lastDisplayMinimumLaunches": return number { .lastDisplayMinimumLaunches($0) }
    case "flagNotSet": return text { .flagNotSet($0) }
    case "iOSVersionLessThan", "osVersionLessThan": return text { .osVersionLessThan($0) }
    case "appVersionLessThan": return text { .appVersionLessThan($0) }
    case "featureEnabled": return text { .featureEnabled($0) }
    case _: return .unknown
    }
  }

  /// Returns the message for a condition that cannot be evaluated, or `nil` for any other condition.
  private static func problem(_ condition: ControlFile.Condition) -> String? {
    switch condition.rule {
    case .unknown:
      return """
        is not a condition, so it counts as false; known are onWifi, neverDisplayed, lastDisplayMinimumSeconds, \
        lastDisplayMinimumLaunches, flagNotSet, osVersionLessThan, iOSVersionLessThan, appVersionLessThan and \
        featureEnabled
        """
    case .malformed:
      let expected =
        switch condition.name {
        case "onWifi", "neverDisplayed": "true or false"
        case "lastDisplayMinimumSeconds", "lastDisplayMinimumLaunches": "a number"
        case _: "a text"
        }
      return "must be \(expected), so it counts as false"
    case .onWifi, .neverDisplayed, .lastDisplayMinimumSeconds, .lastDisplayMinimumLaunches, .flagNotSet,
      .osVersionLessThan, .appVersionLessThan, .featureEnabled:
      return nil
    }
  }

  private static func readViews(_ value: JSONValue, _ banner: inout ControlFile.Banner) {
    guard case .object(let views) = value else {
      banner.report("views", "must be an object whose keys are view ids")
      return
    }
    for member in views.members {
      guard case .object(let object) = member.value, case .string(let file)? = object["file"],
        LinkReference.isWebAddress(file), URL(string: file)?.host() != nil
      else {
        banner.report("views", member.key, "file", "must be an absolute http or https address of HTML")
        continue
      }
      var view = ControlFile.View(id: member.key, file: file)
      switch object["height"] {
      case nil, .null: break
      case .number(let text)?:
        if let height = Double(text), height > 0, height.isFinite {
          view.height = height
        } else {
          fallthrough
        }
      case _:
        banner.report("views", member.key, "height", "must be a number of points above 0, 16 to a row")
      }
      switch object["origin"] {
      case nil, .null: break
      case .string("top")?: view.origin = .top
      case .string("bottom")?: view.origin = .bottom
      case _:
        banner.report("views", member.key, "origin", "must be \"top\" or \"bottom\"")
      }
      banner.views.append(view)
    }
  }
}

extension ControlFile.Banner {
  /// Adds a problem to the banner. The arguments are the keys of its path below the banner, and finally its message.
  ///
  /// The path is created only here, since a correct file needs none.
  fileprivate mutating func report(_ keysAndMessage: String...) {
    let path = keysAndMessage.dropLast().reduce(JSONPath.key(name, under: "$")) {
      JSONPath.key($1, under: $0)
    }
    problems.append(FormatProblem(at: path, message: keysAndMessage.last ?? ""))
  }
}
