import Messages
import Screen
package import Words

extension BannerFailure {
  /// Returns a sentence for the log. It contains text from publishers, which is not sanitised.
  package func logSentence(_ words: Words) -> String {
    switch self {
    case .unavailable(let id, let failure):
      "the view \"\(id)\" cannot be shown: \(words.sentence(failure).text)"
    case .scriptStopped: "the view's script was stopped: it took too much time or memory"
    case .noEngine(let reason): "the view's script cannot be run: \(reason)"
    case .script(let error): "the view's script failed: \(error)"
    case .unknownView(let id): "the script asked for the view \"\(id)\", which the banner does not have"
    case .refusedAddress(let address):
      "the script asked to open \(address); only one http, https or reddot: address is opened for a press"
    case .refusedFlag(let name):
      "the script's flag \"\(name)\" was not set: its name is too long, its value is neither yes nor no, "
        + "or the banner has too many"
    case .endlessDisplay: "the banner's views display each other without end"
    }
  }
}
