import Queries
import Rules
import Screen

/// What is wrong with a rule, in words. Names of actions are as they are typed.
extension Words {
  /// - Parameter settings: the key that opens the settings file.
  func sentence(_ mistake: RuleFormMistake, settings: SafeText) -> SafeText {
    switch mistake {
    case .nameIsTaken: self(.ruleNameTaken)
    case .condition(let mistake): sentence(mistake.reason)
    case .noAction: self(.ruleNeedsAction)
    case .action(let mistake, _): sentence(mistake)
    case .needsProgram: self(.ruleNeedsProgram, settings)
    }
  }

  private func sentence(_ mistake: RuleAction.Mistake) -> SafeText {
    switch mistake {
    case .unknown(let name, let nearest):
      if let nearest {
        self(.actionUnknownBut, outside(name), outside(nearest))
      } else {
        self(.actionUnknown, outside(name))
      }
    case .missingValue(let name): self(.queryNeedsValue, outside(name))
    case .unexpectedValue(let name): self(.actionTakesNothing, outside(name))
    case .notAPriority(let text): self(.actionNotAPriority, outside(text))
    }
  }
}
