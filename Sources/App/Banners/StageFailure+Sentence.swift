import Banners
package import Interface
import Screen

extension StageFailure {
  /// For the log; holds text of publishers, unsanitised.
  package func sentence(_ words: Words) -> String {
    switch self {
    case .view(let id, let failure): "the view \"\(id)\" cannot be shown: \(words.sentence(failure).text)"
    case .scriptStopped: "the view's script was stopped: it took too much time or memory"
    case .engineCannotStart(let reason): "the view's script cannot be run: \(reason)"
    case .scriptError(let text): "the view's script failed: \(text)"
    case .refused(.unknownView(let id)):
      "the script asked for the view \"\(id)\", which the banner does not have"
    case .refused(.address(let address)):
      "the script asked to open \(address); only one http, https or reddot: address is opened for a press"
    case .refused(.flag(let name)):
      "the script's flag \"\(name)\" was not set: its name is too long, its value is neither yes nor no, "
        + "or the banner has too many"
    case .endlessDisplay: "the banner's views display each other without end"
    case .appVersion(let source, let reason):
      "\(source): app_version_command \(reason); reddot's own version is used"
    case .storage(let failure): failure.sentence
    }
  }
}
