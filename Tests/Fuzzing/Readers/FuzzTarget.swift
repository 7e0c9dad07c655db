import Foundation

/// The readers of bytes from outside, each with what must hold of any bytes that it is given.
///
/// The fuzzer gives them what it makes up; the ordinary tests give them the seeds and all that was ever found.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// RSS, RDF and Atom, and their messages.
  case feeds
  case jsonFeed = "json-feed"
  case opml
  case native
  case json
  case htmlText = "html-text"
  /// A message's HTML as lines.
  case page
  /// A banner's view, and what scripts change in it.
  case view
  case markdown
  /// Plain text, and the sanitiser.
  case text
  case dates
  case charsets
  case decoders
  case strings
  case control
  case schedule
  case apns
  case settings
  case terminal
  case scripts

  /// Reads the bytes as the program would, and judges what came of it.
  ///
  /// - Throws: the first claim that does not hold. A trap is for the caller to notice.
  func check(_ bytes: Data) throws(Violation) {
    switch self {
    case .feeds, .jsonFeed: try FeedClaims.check(bytes)
    case .opml: try OPMLClaims.check(bytes)
    case .native: try NativeClaims.check(bytes)
    case .json: try JSONClaims.check(bytes)
    case .htmlText: try HTMLTextClaims.check(bytes)
    case .page: try PageClaims.html(bytes)
    case .view: try ViewClaims.check(bytes)
    case .markdown: try PageClaims.markdown(bytes)
    case .text: try TextClaims.check(bytes)
    case .dates: try DateClaims.check(bytes)
    case .charsets: try CharsetClaims.check(bytes)
    case .decoders: try DecoderClaims.check(bytes)
    case .strings: try StringsClaims.check(bytes)
    case .control: try ControlFileClaims.check(bytes)
    case .schedule: try ScheduleClaims.check(bytes)
    case .apns: try APNsClaims.check(bytes)
    case .settings: try SettingsClaims.check(bytes)
    case .terminal: try TerminalClaims.check(bytes)
    case .scripts: try ScriptClaims.check(bytes)
    }
  }
}

/// A claim that did not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: the claim in words, where it does not hold.
func claim(_ holds: Bool, _ words: @autoclosure () -> String) throws(Violation) {
  if !holds { throw Violation(description: words()) }
}

/// The allowance: what came of a document is bounded by a small factor of its size and a constant.
func claimBounded(_ size: Int, by input: Int, times factor: Int = 8, _ name: String) throws(Violation) {
  let bound = input * factor + 16 << 10
  try claim(size <= bound, "\(input) bytes became \(size) bytes of \(name), more than \(bound)")
}

/// Years 0 to 9999: what can be written with four digits.
func claimWritable(_ date: Date?, _ name: String) throws(Violation) {
  guard let seconds = date?.timeIntervalSince1970 else { return }
  let range = -62_167_219_200.0...253_402_300_800.0
  try claim(range.contains(seconds), "\(name) is \(seconds) seconds from 1970")
}

func claimEqual<Value: Equatable>(_ a: Value, _ b: Value, _ words: @autoclosure () -> String)
  throws(Violation)
{
  if a != b { throw Violation(description: "\(words()): \(a) is not \(b)") }
}

/// Bytes that choose among cases, taken from the front of an input; the rest is the document.
struct Choices {
  private var bytes: Data

  init(_ bytes: Data) { self.bytes = bytes }

  var rest: Data { bytes }

  mutating func next(below count: Int) -> Int {
    guard let first = bytes.popFirst(), count > 0 else { return 0 }
    return Int(first) % count
  }
}
