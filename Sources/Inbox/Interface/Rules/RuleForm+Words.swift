import Messages
import Queries
import Screen
import Words

/// Explains errors in rules. The names of actions stay as they are typed.
extension Words {
  /// - Parameter settings: the key that opens the settings file.
  func sentence(_ mistake: RuleFormMistake, settings: SafeText) -> SafeText {
    switch mistake {
    case .nameIsTaken: self(.ruleNameTaken)
    case .condition(let mistake): sentence(mistake.reason)
    case .noAction: self(.ruleNeedsAction)
    case .action(let mistake): sentence(mistake)
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
    case .notATime(let text): self(.actionNotATime, outside(text))
    }
  }
}

/// The results of a trial, in sentences.
extension Words {
  /// Returns the number of earlier messages that the rule matches, and what it would have done with them.
  func sentence(_ trial: RuleTrial, doing actions: [RuleAction]) -> SafeText {
    let (looked, days): (SafeText, SafeText) = ("\(trial.looked)", "\(RuleTrial.usualDays)")
    if trial.matched == 0 { return self(.trialNone, looked, days) }
    var acts =
      switch trial.opened {
      case 0: self(trial.matched == 1 ? .trialNotOpenedIt : .trialOpenedNone)
      case trial.matched: self(trial.matched == 1 ? .trialOpenedIt : .trialOpenedAll)
      case _: self(.trialOpened, "\(trial.opened)")
      }
    if trial.starred > 0 { acts += count(.trialStarred, trial.starred) }
    guard let first = actions.first else { return count(.trialFound, trial.matched, looked, days, acts) }
    let would = actions.dropFirst().reduce(effect(of: first)) { $0 + ", " + effect(of: $1) }
    return self(.trialWould, "\(trial.matched)", looked, days, would, acts)
  }

  /// Returns a sentence about the messages that a rule will get from now on.
  func fromNowOn(_ actions: [RuleAction], stops: Bool) -> SafeText? {
    guard let first = actions.first else { return nil }
    let will = actions.dropFirst().reduce(effect(of: first)) { $0 + ", " + effect(of: $1) }
    return self(stops ? .ruleWillAndStop : .ruleWill, will)
  }

  /// Returns the effect of an action on messages, as the continuation of a sentence.
  private func effect(of action: RuleAction) -> SafeText {
    switch action {
    case .read: self(.wouldRead)
    case .unread: self(.wouldUnread)
    case .star: self(.wouldStar)
    case .dismiss: self(.wouldDismiss)
    case .hide: self(.wouldHide)
    case .tag(let tag): self(.wouldTag, outside(tag))
    case .untag(let tag): self(.wouldUntag, outside(tag))
    case .priority(let priority): self(.wouldPriority, "\(priority.rawValue)")
    case .snooze(let time): self(.wouldSnooze, outside(time))
    case .notify: self(.wouldNotify)
    case .urgent: self(.wouldUrgent)
    case .again: self(.wouldAgain, outside(String(action.text.dropFirst("again:".count))))
    case .silent: self(.wouldSilent)
    case .run: self(.wouldRun)
    }
  }
}
