package import Screen

extension Words {
  package func sentence(_ problem: CommandCall.Problem) -> SafeText {
    switch problem {
    case .unknown(let name, let nearest):
      if let nearest {
        self(.commandUnknownBut, SafeText(untrusted: name), SafeText(untrusted: nearest))
      } else {
        self(.commandUnknown, SafeText(untrusted: name))
      }
    case .takesNothing(let command): self(.commandTakesNothing, SafeText(untrusted: command.rawValue))
    case .notANumber(let text, let command):
      self(.commandTakesNumber, SafeText(untrusted: command.rawValue), SafeText(untrusted: text))
    case .notAllowed(let text, let command, let allowed, let nearest):
      if let nearest {
        self(
          .commandTakesBut, SafeText(untrusted: command.rawValue),
          SafeText(untrusted: allowed.joined(separator: ", ")), SafeText(untrusted: text),
          SafeText(untrusted: nearest))
      } else {
        self(
          .commandTakes, SafeText(untrusted: command.rawValue),
          SafeText(untrusted: allowed.joined(separator: ", ")), SafeText(untrusted: text))
      }
    }
  }
}
