package import Basics
import Markup
package import Messages
package import Screen

extension Message {
  /// The URL of the web page with the article, or `nil` if the message has no http or https URL.
  package var webAddress: String? {
    OpenableAddress(content.url).flatMap { $0.isWeb ? $0.text : nil }
  }
}

extension Words {
  /// Returns a sentence as a part of another one: without its capital letter and its full stop.
  private func part(_ sentence: SafeText) -> SafeText {
    let text = sentence.text
    guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return clause(text) }
    return clause(first.lowercased() + text.dropFirst())
  }

  /// Returns one sentence that reports the error, its place, and the remedy.
  ///
  /// - Parameters:
  ///   - open: the key that opens the page in a browser.
  package func sentence(_ failure: ArticleFailure, open: SafeText, zone: ZoneClock) -> SafeText {
    func outside(_ text: String) -> SafeText {
      SafeText(untrusted: String(text.prefix(200))).truncated(to: 100, ellipsis: "...")
    }
    return switch failure {
    case .noAddress: self(.articleNoAddress)
    case .fetch(let failure, let host): self(.articleNotFetched, outside(host), part(sentence(failure)), open)
    case .notAPage(let type, let host): self(.articleNotAPage, outside(host), outside(type), open)
    case .noText(let host): self(.articleNoText, outside(host), open)
    case .heldBack(let host, let until): self(.articleHeldBack, outside(host), fullDate(until, in: zone))
    }
  }
}
