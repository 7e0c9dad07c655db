extension Query {
  /// The reason why text isn't a query, and its position.
  package struct Mistake: Error, Hashable, Sendable {
    /// The position of the error in the UTF-8 bytes of the text, at the borders of code points. The range is empty only
    /// if something is missing there.
    package var range: Range<Int>
    package var reason: Reason

    package init(_ range: Range<Int>, _ reason: Reason) {
      self.range = range
      self.reason = reason
    }

    /// Returns the part of the text that contains the error.
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
    /// The value is not one of the few that the field allows.
    case unknownValue(Field, String, nearest: String?)
    case notADate(String)
    /// The value is not a number followed by `min`, `h`, `d`, `w`, `mo` or `y`.
    case notATimeSpan(String)
    /// The field does not accept regular expressions.
    case patternNotAllowed(Field)
    case unclosedPhrase
    case unclosedPattern
    case unclosedParenthesis
    case unexpectedParenthesis
    case emptyParentheses
    case missingOperand(Operator)
    /// A word or phrase contains no letter or digit, so that there is nothing to search for.
    case nothingToFind
    case pattern(PatternFault)
  }

  /// The reason why a regular expression is rejected.
  package enum PatternFault: Error, Hashable, Sendable {
    case tooLong(most: Int)
    case tooDeep(most: Int)
    /// The expression is too large with its intervals expanded.
    case tooLarge
    /// The expression refers to a group that it does not have.
    case backReference
    /// The syntax is unknown or could match nothing; contains its replacement.
    case unknownSyntax(String, instead: String)
    case brackets, parentheses, braces, range, repetition, className, escape
    /// The library rejects the expression for another reason; contains the library's message.
    case refused(String)
  }
}

/// The description in English, for commands; the inbox has separate translations.
extension Query.Mistake: CustomStringConvertible {
  package var description: String { reason.description }
}

extension Query.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let most): "a query has at most \(most) bytes"
    case .tooDeep(let most): "at most \(most) parentheses and NOTs can be nested"
    case .tooMany(let most): "a query has at most \(most) conditions and values"
    case .unknownField(let name, let nearest):
      "\(name) is not a field" + (nearest.map { "; did you mean \($0)?" } ?? "; put the text in quotes")
    case .missingValue(let field): "\(field.rawValue): needs a value right after it"
    case .unknownValue(let field, let value, let nearest):
      "\(field.rawValue): has no value \(value)"
        + (nearest.map { "; did you mean \($0)?" } ?? "; it has \(field.values.joined(separator: ", "))")
    case .notADate(let text):
      "\(text) is not a date: write 2026, 2026-11, 2026-11-20, 2026-11-20T09:30, today or yesterday"
    case .notATimeSpan(let text):
      "\(text) is not a time: write a number and min, h, d, w, mo or y, such as 7d"
    case .patternNotAllowed(let field): "\(field.rawValue): takes no regular expression"
    case .unclosedPhrase: "the quotation mark is not closed"
    case .unclosedPattern:
      "the regular expression needs a / at its end, alone or with c; or put the text in quotes"
    case .unclosedParenthesis: "the parenthesis is not closed"
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
    case .tooDeep(let most): "at most \(most) parentheses can be nested in a regular expression"
    case .tooLarge: "with intervals such as {20} written out, the regular expression is too large: shorten it"
    case .backReference: "the regular expression refers to a group that it does not have"
    case .unknownSyntax(let text, let instead):
      "\(text) is not known in a regular expression; write \(instead)"
    case .brackets: "a bracket is not closed"
    case .parentheses: "a parenthesis of the regular expression has no other one"
    case .braces: "an interval is {2}, {2,} or {2,5}; for the character write \\{"
    case .range: "a range of characters is the wrong way round"
    case .repetition: "there is nothing to repeat"
    case .className: "this class of characters is not known"
    case .escape: "a backslash needs a character after it"
    case .refused(let reason): "the regular expression cannot be used: \(reason)"
    }
  }
}
