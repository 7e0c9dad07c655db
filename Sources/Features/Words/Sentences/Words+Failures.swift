package import Messages
package import Screen

/// Reasons why polls fail or wait, in words. The command line uses the same.
extension Words {
  /// Returns the reason why a poll failed, as one sentence.
  ///
  /// - Parameter longest: the maximum number of characters of a string from outside in the sentence.
  package func sentence(_ failure: FetchFailure, longest: Int = Words.usualLength) -> SafeText {
    func outside(_ text: String) -> SafeText { self.outside(text, longest: longest) }
    func clause(_ text: String) -> SafeText { self.clause(text, longest: longest) }
    return switch failure {
    case .invalidAddress(let address): self(.invalidAddress, quoted(address))
    case .nameNotFound(let host): self(.nameNotFound, outside(host))
    case .refused(let host, let port): self(.refused, outside(host), "\(port)")
    case .unreachable(let host, let reason): self(.unreachable, outside(host), clause(reason))
    case .timedOut(let stage, let seconds): self(.timedOut, duration(seconds), name(stage))
    case .tls(let host, let reason): self(.untrusted, outside(host), clause(reason))
    case .status(let status, let reason): self(.status, "\(status)", clause(reason)).withoutGap
    case .gone: self(.gone)
    case .heldBack(let status, _): self(.askedToWait, "\(status)")
    case .tooLarge(let limit): self(.tooLarge, bytes(limit))
    case .cutOff(let received): self(.cutOff, bytes(received))
    case .redirectLoop(let limit): self(.redirectLoop, "\(limit)")
    case .badRedirect(let address): self(.badRedirect, quoted(address))
    case .insecureRedirect(let address): self(.insecureRedirect, quoted(address))
    case .notAFeed(let found, let alternates):
      if let first = alternates.first {
        self(.notAFeedAlternates, clause(found), outside(first))
      } else {
        self(.notAFeed, clause(found))
      }
    case .malformed(let line, let reason):
      if let line {
        self(.malformedLine, "\(line)", clause(reason))
      } else {
        self(.malformed, clause(reason))
      }
    case .cursorStuck: self(.cursorStuck)
    case .file(let path, let reason): self(.file, outside(path), clause(reason))
    case .credentials(let reason): self(.credentials, clause(reason))
    case .program(let reason): self(.program, clause(reason))
    case .storage(let reason): self(.storage, clause(reason))
    case .cancelled: self(.cancelled)
    }
  }

  /// Returns the reason why a poll failed in two or three words, for a header or a line of the timeline.
  package func brief(_ failure: FetchFailure) -> SafeText {
    switch failure {
    case .invalidAddress: self(.shortAddress)
    case .nameNotFound: self(.shortNameNotFound)
    case .refused: self(.shortRefused)
    case .unreachable: self(.shortUnreachable)
    case .timedOut: self(.shortTimedOut)
    case .tls: self(.shortUntrusted)
    case .status(let status, _): self(.shortStatus, "\(status)")
    case .gone: self(.shortGone)
    case .heldBack: self(.shortAskedToWait)
    case .tooLarge: self(.shortTooLarge)
    case .cutOff: self(.shortCutOff)
    case .redirectLoop, .badRedirect, .insecureRedirect: self(.shortRedirects)
    case .notAFeed: self(.shortNotAFeed)
    case .malformed: self(.shortMalformed)
    case .cursorStuck: self(.shortCursorStuck)
    case .file: self(.shortFile)
    case .credentials: self(.shortCredentials)
    case .program: self(.shortProgram)
    case .storage: self(.shortStorage)
    case .cancelled: self(.shortCancelled)
    }
  }

  /// Returns the reason why a poll waits, as a clause after a colon.
  package func reason(_ rule: WaitRule) -> SafeText {
    switch rule {
    case .initialDelay: self(.ruleInitialDelay)
    case .interval: self(.ruleInterval)
    case .backoff(let failures): count(.ruleBackoff, failures)
    case .grace: self(.ruleGrace)
    case .retryAfter(let host): self(.ruleRetryAfter, outside(host))
    case .maxAge: self(.ruleMaxAge)
    case .ttl: self(.ruleTTL)
    case .pollInterval: self(.rulePollInterval)
    case .requestLimit: self(.ruleRequestLimit)
    case .skipHours: self(.ruleSkipHours)
    case .skipDays: self(.ruleSkipDays)
    case .schedule: self(.ruleSchedule)
    case .backlog: self(.ruleBacklog)
    case .dailyLimit: self(.ruleDailyLimit)
    case .gone: self(.ruleGone)
    case .notPolled: self(.ruleNotPolled)
    case .paused: self(.rulePaused)
    }
  }

  /// Returns the reason why a poll waits in a word or two, for a line of the timeline.
  package func brief(_ rule: WaitRule) -> SafeText {
    switch rule {
    case .initialDelay: self(.shortInitialDelay)
    case .interval: self(.shortInterval)
    case .backoff(let failures): count(.shortBackoff, failures)
    case .grace: self(.shortGrace)
    case .retryAfter: self(.shortRetryAfter)
    case .maxAge: self(.shortMaxAge)
    case .ttl: self(.shortTTL)
    case .pollInterval: self(.shortPollInterval)
    case .requestLimit: self(.shortRequestLimit)
    case .skipHours: self(.shortSkipHours)
    case .skipDays: self(.shortSkipDays)
    case .schedule: self(.shortSchedule)
    case .backlog: self(.shortBacklog)
    case .dailyLimit: self(.shortDailyLimit)
    case .gone: self(.shortGone)
    case .notPolled: self(.notPolled)
    case .paused: self(.shortPaused)
    }
  }

  /// Returns a sentence about an error in the settings' keys.
  package func sentence(_ problem: Keymap.Problem) -> SafeText {
    switch problem {
    case .unknownCommand(let name): self(.keyCommandUnknown, outside(name))
    case .unknownKey(let name, let command):
      self(.keyNameUnknown, "\(untrusted: command.rawValue)", outside(name))
    case .digit(let key, let command):
      self(.keyDigit, "\(untrusted: command.rawValue)", "\(untrusted: key.name)")
    case .clash(let key, let a, let b):
      self(.keyClash, "\(untrusted: key.name)", "\(untrusted: a.rawValue)", "\(untrusted: b.rawValue)")
    }
  }

  private func name(_ stage: FetchFailure.Stage) -> SafeText {
    switch stage {
    case .connecting: self(.stageConnecting)
    case .handshake: self(.stageHandshake)
    case .waiting: self(.stageWaiting)
    case .reading: self(.stageReading)
    case .poll: self(.stagePoll)
    }
  }

  private func duration(_ seconds: Double) -> SafeText {
    guard seconds.isFinite, abs(seconds) < 1e9 else { return count(.seconds, 0) }
    // Below a second, to the tenth: "after 0 seconds" would be wrong.
    let tenths = (seconds * 10).rounded()
    if tenths > 0, tenths < 10 { return several(.seconds, "0.\(Int(tenths))") }
    return count(.seconds, Int(seconds.rounded()))
  }

  /// Returns a size in GiB, MiB, KiB or bytes, whichever is shortest.
  private func bytes(_ count: Int) -> SafeText {
    let units: [(SafeText, Int)] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    for (unit, size) in units where count >= size { return "\(count / size) \(unit)" }
    return "\(count) B"
  }

  /// The maximum number of characters of a string from outside in a sentence of one line.
  package static let usualLength = 200
  /// The maximum number of characters of a reason at the bottom of the inbox, which has several lines: the remedy may
  /// be at the end.
  package static let longestReason = 400

  /// Returns text from outside, cut so that the sentence around it stays visible.
  package func outside(_ text: String, longest: Int = usualLength) -> SafeText {
    SafeText(untrusted: String(text.prefix(longest))).truncated(to: longest, ellipsis: "...")
  }

  private func quoted(_ text: String) -> SafeText { text.isEmpty ? "\"\"" : outside(text) }

  /// Returns a reason that the system gave, for the middle of a sentence: without its own full stop.
  package func clause(_ text: String, longest: Int = usualLength) -> SafeText {
    var text = text.prefix(longest)
    while let last = text.last, last.isWhitespace || last.endsSentence { text.removeLast() }
    return outside(String(text), longest: longest)
  }
}

extension Character {
  /// Whether the character is a full stop, or its counterpart in another script: 。 । ۔ ።
  fileprivate var endsSentence: Bool { unicodeScalars.first?.properties.isSentenceTerminal == true }
}

extension SafeText {
  /// The text without the space before its full stop, which an HTTP status without a reason leaves there.
  fileprivate var withoutGap: SafeText {
    text.hasSuffix(" .") ? prefix(columns: columns - 2) + "." : self
  }
}
