package import Queries
package import Screen

/// Explains errors in queries. The names of fields, values and operators stay as they are typed.
extension Words {
  package func sentence(_ reason: Query.Reason) -> SafeText {
    switch reason {
    case .tooLong(let most): self(.queryTooLong, "\(most)")
    case .tooDeep(let most): self(.queryTooDeep, "\(most)")
    case .tooMany(let most): self(.queryTooMany, "\(most)")
    case .unknownField(let name, let nearest):
      if let nearest {
        self(.queryNoFieldBut, outside(name), outside(nearest))
      } else {
        self(.queryNoField, outside(name))
      }
    case .missingValue(let field): self(.queryNeedsValue, outside(field.rawValue))
    case .unknownValue(let field, let value, let nearest):
      if let nearest {
        self(.queryNoValueBut, outside(field.rawValue), outside(value), outside(nearest))
      } else {
        self(.queryNoValue, outside(field.rawValue), outside(value))
      }
    case .notADate(let text): self(.queryNotADate, outside(text))
    case .notATimeSpan(let text): self(.queryNotATime, outside(text))
    case .patternNotAllowed(let field): self(.queryNoPattern, outside(field.rawValue))
    case .unclosedPhrase: self(.queryOpenPhrase)
    case .unclosedPattern: self(.queryOpenPattern)
    case .unclosedParenthesis: self(.queryOpenParenthesis)
    case .unexpectedParenthesis: self(.queryExtraParenthesis)
    case .emptyParentheses: self(.queryEmptyParentheses)
    case .missingOperand(let name): self(.queryNeedsCondition, outside(name.rawValue))
    case .nothingToFind: self(.queryNothingToFind)
    case .pattern(let fault): sentence(fault)
    }
  }

  private func sentence(_ fault: Query.PatternFault) -> SafeText {
    switch fault {
    case .tooLong(let most): self(.patternTooLong, "\(most)")
    case .tooDeep(let most): self(.patternTooDeep, "\(most)")
    case .tooLarge: self(.patternTooLarge, "{20}")
    case .backReference: self(.patternBackReference)
    case .unknownSyntax(let text, let instead): self(.patternUnknown, outside(text), outside(instead))
    case .brackets: self(.patternBrackets)
    case .parentheses: self(.patternParentheses)
    case .braces: self(.patternBraces, "{2}, {2,}, {2,5}", #"\{"#)
    case .range: self(.patternRange)
    case .repetition: self(.patternRepetition)
    case .className: self(.patternClass)
    case .escape: self(.patternEscape)
    case .refused(let reason): self(.patternRefused, outside(reason))
    }
  }
}
