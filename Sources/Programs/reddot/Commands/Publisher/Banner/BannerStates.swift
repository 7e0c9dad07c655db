import Basics
import Formats
import Foundation
import Messages
import Platform

/// The states of a file's banners, as a JSON file for trying a control file:
/// `{name: {"displayed": bool, "last_display": ISO|null, "launches": n, "flags": {…}}}`.
enum BannerStates {
  /// An error: a value is invalid.
  struct Refusal: UserFacingError, Hashable {
    /// The path of the value.
    var at: String
    var reason: String
    var sentence: String { "the state's \(at) \(reason)" }
  }

  /// Reads states. Absent keys mean that nothing was ever displayed and that this is launch 1.
  ///
  /// - Throws: `JSONFailure` or `Refusal`.
  static func read(_ bytes: Data) throws -> [String: BannerState] {
    guard let root = try JSONReader.parse(bytes).object else {
      throw Refusal(at: "$", reason: "must be an object whose keys are banner names")
    }
    var states: [String: BannerState] = [:]
    for member in root.members {
      states[member.key] = try state(member.value, at: JSONPath.key(member.key, under: "$"))
    }
    return states
  }

  private static func state(_ value: JSONValue, at path: String) throws(Refusal) -> BannerState {
    guard let object = value.object else { throw Refusal(at: path, reason: "must be an object") }
    var state = BannerState().launched()
    var isDisplayed: Bool?
    for member in object.members {
      let value = member.value
      let place = JSONPath.key(member.key, under: path)
      switch member.key {
      case "displayed":
        guard let bool = value.bool else { throw Refusal(at: place, reason: "must be true or false") }
        isDisplayed = bool
      case "last_display":
        guard !value.isNull else { continue }
        guard let date = value.text.flatMap(ISOInstant.parse) else {
          throw Refusal(at: place, reason: "must be a time like 2026-11-20T09:00:00Z, or null")
        }
        state.lastDisplay = date
      case "launches":
        guard let launches = value.integer, launches >= 0 else {
          throw Refusal(at: place, reason: "must be an integer from 0")
        }
        state.launches = launches
      case "flags":
        guard let flags = value.object else { throw Refusal(at: place, reason: "must be an object") }
        for flag in flags.members {
          guard let isSet = flag.value.bool else {
            throw Refusal(at: JSONPath.key(flag.key, under: place), reason: "must be true or false")
          }
          state.flags[flag.key] = isSet
        }
      case _:
        throw Refusal(at: place, reason: "is not known; allowed are displayed, last_display, launches, flags")
      }
    }
    state.isDisplayed = isDisplayed ?? (state.lastDisplay != nil)
    // `displayed: false` takes precedence over `last_display`.
    if !state.isDisplayed { state.lastDisplay = nil }
    return state
  }
}
