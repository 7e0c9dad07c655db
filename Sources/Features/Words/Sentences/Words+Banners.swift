package import Messages
package import Screen

extension Words {
  package func sentence(_ failure: BannerFailure) -> SafeText {
    switch failure {
    case .unavailable(_, let failure): self(.bannerUnavailable, sentence(failure))
    case .scriptStopped: self(.bannerScriptStopped)
    case .noEngine(let reason): self(.bannerNoEngine, "\(untrusted: reason)")
    case .script(let error): self(.bannerScript, "\(untrusted: error)")
    case .unknownView(let id): self(.bannerUnknownView, "\(untrusted: id)")
    case .refusedFlag(let name): self(.bannerFlag, "\(untrusted: name)")
    case .endlessDisplay: self(.bannerEndless)
    case .refusedAddress(let address): self(.linkRefused, "\(untrusted: address)")
    }
  }
}
