import Basics
import Foundation
import Messages

@testable import Queries

/// Queries: any text is parsed or gives an error with a position, a printed query is parsed to the same, and any
/// message can be tested.
enum QueryClaims {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  private struct Words: QueryTokenizer {
    func tokens(of text: String) -> QueryTokens {
      QueryTokens(
        SearchText.indexed(text).lowercased().unicodeScalars.split { !SearchText.isPartOfWord($0) }
          .map { String(String.UnicodeScalarView($0)) })
    }
  }

  /// - Parameter bytes: one byte that selects the mode, a query, a line end and a message's text.
  static func check(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let mode: Query.Mode = choices.next(below: 2) == 0 ? .strict : .typing
    let parts = choices.rest.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts.first ?? Data(), as: UTF8.self)
    let body = String(decoding: parts.dropFirst().first ?? Data(), as: UTF8.self)
    switch Query.parse(text, mode) {
    case .failure(let mistake):
      let range = mistake.range
      try claim(range.lowerBound >= 0 && range.upperBound <= text.utf8.count, "a mistake is out of the text")
      try claimEqual(
        mistake.part(of: text).utf8.count, range.count, "a mistake splits a character of \(text)")
    case .success(let query):
      try check(query, body)
    }
    let completions = Query.completions(in: text, at: text.utf8.count)
    try claim(completions.range.upperBound <= text.utf8.count, "a completion is out of the text")
  }

  private static func check(_ query: Query, _ body: String) throws(Violation) {
    let printed = query.text
    try claim(printed.utf8.count <= Limits.queryBytes, "a query became \(printed.utf8.count) bytes")
    guard case .success(let again) = Query.parse(printed, .strict) else {
      throw Violation(description: "\(printed.debugDescription) does not parse")
    }
    try claimEqual(again, query, "printed and parsed")
    try claimEqual(again.text, printed, "printed twice")
    var facts = Facts(title: String(body.prefix(40)), body: body)
    facts.time = now.addingTimeInterval(-Double(body.utf8.count) * 997)
    /// Whether a query matches, or `nil` if a regular expression takes too long.
    func matches(_ query: Query) -> Bool? {
      let matcher = QueryMatcher(query, tokenizer: Words(), now: now, zone: .gmt)
      let isMatch = matcher.matches(facts)
      return matcher.isOverBudget ? nil : isMatch
    }
    if let isMatch = matches(query), let isOther = matches(.not(query)),
      let isNormal = matches(query.negationNormalForm)
    {
      try claim(isMatch != isOther, "\(printed) and its negation")
      try claimEqual(isNormal, isMatch, "the normal form of \(printed)")
    }
    for mark in query.marks {
      guard case .pattern(let pattern) = mark.term else { continue }
      let places = pattern.places(in: body)
      try claim(
        places.allSatisfy { !$0.isEmpty && $0.upperBound <= body.utf8.count }
          && zip(places, places.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound },
        "the places of \(printed)")
    }
    if let next = query.nextChange(after: now, of: facts.time, zone: .gmt) {
      try claim(next > now, "the next change of \(printed) has passed")
    }
  }
}
