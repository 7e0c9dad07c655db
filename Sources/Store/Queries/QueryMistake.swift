extension Query {
  /// Why a text isn't a query, and where.
  package struct Mistake: Error, Hashable, Sendable {
    /// Bytes of the text as UTF-8, at the borders of code points; empty only where something is missing.
    package var range: Range<Int>
    package var reason: Reason

    package init(_ range: Range<Int>, _ reason: Reason) {
      self.range = range
      self.reason = reason
    }

    /// The part of the text that the mistake is about.
    package func part(of text: String) -> Substring {
      let bytes = text.utf8
      let low = bytes.index(bytes.startIndex, offsetBy: range.lowerBound, limitedBy: bytes.endIndex)
      let high = bytes.index(bytes.startIndex, offsetBy: range.upperBound, limitedBy: bytes.endIndex)
      return text[(low ?? bytes.endIndex)..<(high ?? bytes.endIndex)]
    }
  }

  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case or = "OR"
    case and = "AND"
    case not = "NOT"
  }

  package enum Reason: Hashable, Sendable {
    case tooLong(most: Int)
    case tooDeep(most: Int)
    case tooMany(most: Int)
    case unknownField(String, nearest: String?)
    case missingValue(Field)
    /// Not one of the few values of that field.
    case unknownValue(Field, String, nearest: String?)
    case notADate(String)
    /// Not a number and `min`, `h`, `d`, `w`, `mo` or `y`.
    case notATimeSpan(String)
    /// The field has no regular expressions.
    case patternNotAllowed(Field)
    case unclosedPhrase
    case unclosedPattern
    case unclosedParenthesis
    case unexpectedParenthesis
    case emptyParentheses
    case missingOperand(Operator)
    /// A word or phrase without a letter or digit.
    case nothingToFind
    case pattern(PatternFault)
  }

  /// Why a regular expression is refused.
  package enum PatternFault: Error, Hashable, Sendable {
    case tooLong(most: Int)
    case tooDeep(most: Int)
    /// The expression is, with its intervals written out.
    case tooLarge
    /// A reference to a group that the expression does not have.
    case backReference
    /// Syntax that is not known or could find nothing, and its replacement.
    case unknownSyntax(String, instead: String)
    case brackets, parentheses, braces, range, repetition, className, escape
    /// Refused by the library for another reason, in its words.
    case refused(String)
  }
}

/// In English, for commands; the inbox has its own words.
extension Query.Mistake: CustomStringConvertible {
  package var description: String { reason.description }
}

extension Query.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let most): "a query has at most \(most) bytes"
    case .tooDeep(let most): "at most \(most) parentheses and NOTs stand inside each other"
    case .tooMany(let most): "a query has at most \(most) conditions and values"
    case .unknownField(let name, let nearest):
      "\(name) isn't a field" + (nearest.map { "; did you mean \($0)?" } ?? "; put the text in quotes")
    case .missingValue(let field): "\(field.rawValue): needs a value right after it"
    case .unknownValue(let field, let value, let nearest):
      "\(field.rawValue): has no value \(value)"
        + (nearest.map { "; did you mean \($0)?" } ?? "; it has \(field.values.joined(separator: ", "))")
    case .notADate(let text):
      "\(text) isn't a date: write 2026, 2026-11, 2026-11-20, 2026-11-20T09:30, today or yesterday"
    case .notATimeSpan(let text): "\(text) isn't a time: write a number and min, h, d, w, mo or y, such as 7d"
    case .patternNotAllowed(let field): "\(field.rawValue): takes no regular expression"
    case .unclosedPhrase: "the quotation mark isn't closed"
    case .unclosedPattern:
      "the regular expression needs a / at its end, alone or with c; or put the text in quotes"
    case .unclosedParenthesis: "the parenthesis isn't closed"
    case .unexpectedParenthesis: "nothing is open that this parenthesis closes"
    case .emptyParentheses: "there is nothing in the parentheses"
    case .missingOperand(let name):
      "\(name.rawValue) needs a condition \(name == .not ? "after it" : "on each side")"
    case .nothingToFind: "it has no letter and no digit to search for"
    case .pattern(let fault): fault.description
    }
  }
}

extension Query.PatternFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let most): "a regular expression has at most \(most) bytes"
    case .tooDeep(let most): "at most \(most) parentheses stand inside each other in a regular expression"
    case .tooLarge: "with intervals such as {20} written out, the regular expression is too large: shorten it"
    case .backReference: "the regular expression refers to a group that it doesn't have"
    case .unknownSyntax(let text, let instead):
      "\(text) isn't known in a regular expression; write \(instead)"
    case .brackets: "a bracket isn't closed"
    case .parentheses: "a parenthesis of the regular expression has no other one"
    case .braces: "an interval is {2}, {2,} or {2,5}; for the character write \\{"
    case .range: "a range of characters is the wrong way round"
    case .repetition: "there is nothing to repeat"
    case .className: "this class of characters isn't known"
    case .escape: "a backslash needs a character after it"
    case .refused(let reason): "the regular expression can't be used: \(reason)"
    }
  }
}
