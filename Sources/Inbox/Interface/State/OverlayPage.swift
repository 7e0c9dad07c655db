import Basics
import Messages
import Screen
import Words

/// The page on which the user chooses one of the feeds that a web page offers.
enum ChoicesPage {
  /// The number of lines above the first choice.
  static let headRows = 2
}

/// The lines of the page that covers the panes, if it scrolls.
extension AppState {
  /// The maximum number of characters of the reason of a failure from a program or a server.
  private static let longestReason = 4000

  /// Returns the number of lines, or `nil` if the page doesn't scroll, or scrolls with its selection.
  func overlayRows(columns: Int) -> Int? {
    switch dialog.overlay {
    case .problem(let source): problem(of: source, columns: columns).count
    case .messages: messagesSaid(columns: columns).count
    case .request(let action, _): request(of: action, columns: columns).count
    case .help, .choices, .links, .offers, .address, .rules, nil: nil
    }
  }

  /// Returns the lines about a source that cannot be polled: its title and URL, the complete reason, the last success,
  /// and the next poll.
  func problem(of source: SourceID, columns: Int) -> [StyledText] {
    guard let status = shown.sources.status(source) else { return [] }
    var lines = [StyledText(shown.sources.titles[source] ?? .empty, style: Palette.heading)]
    lines.append(StyledText(SafeText(untrusted: status.source.shownAddress), style: Palette.quiet))
    lines.append(.empty)
    if let failure = status.state.lastFailure {
      lines.append(StyledText(words.sentence(failure, longest: Self.longestReason), style: Palette.failure))
    } else if status.state.isGone {
      lines.append(StyledText(words(.shortGone), style: Palette.failure))
    }
    lines.append(.empty)
    let success = status.state.lastSuccess.map {
      words(.lastSuccess, words.instant($0, from: now, in: options.zone))
    }
    lines.append(StyledText(success ?? words(.neverSucceeded), style: Palette.quiet))
    if let polling = polling[source], let next = polling.next {
      let time = words.instant(next, from: now, in: options.zone)
      lines.append(
        StyledText(words(.next, time) + " (" + words.reason(polling.rule) + ")", style: Palette.quiet))
    }
    return lines.flatMap { $0.isEmpty ? [$0] : $0.wrapped(to: max(1, columns - 2)) }
  }

  /// Returns the reports of the bottom line, newest first, each with its time.
  func messagesSaid(columns: Int) -> [StyledText] {
    if statusLine.said.isEmpty { return [StyledText(words(.saidNothing), style: Palette.quiet)] }
    return statusLine.said.flatMap { said in
      let time = said.at.map { words.instant($0, from: now, in: options.zone, seconds: true) } ?? .empty
      let start = StyledText(time + "  ", style: Palette.quiet)
      let isBeside = columns - start.columns >= 24
      let indent = isBeside ? start.columns : 2
      let text = StyledText(said.toast.text(options.signs), style: said.toast.kind.style)
      let lines = text.wrapped(to: max(1, columns - 2 - indent))
      let indented = lines.enumerated().map { index, line in
        (index == 0 && isBeside ? start : StyledText(.spaces(indent))) + line
      }
      return isBeside ? indented : [start] + indented
    }
  }

  /// Returns everything that an action would send, the receiver first.
  func request(of action: MessageAction, columns: Int) -> [StyledText] {
    guard let request = action.request else { return [] }
    let address = RequestAddress(action.url)
    let room = max(1, columns - 2)
    func cut(_ text: String, _ style: Style = .plain) -> [StyledText] {
      StyledText(SafeText(untrusted: text), style: style).cut(to: room)
    }
    var lines = StyledText(
      words(.requestTo, SafeText(untrusted: request.method)), style: Palette.heading
    ).wrapped(to: room)
    lines += cut(address.origin, Palette.warning)
    if !address.rest.isEmpty { lines += cut(address.rest) }
    lines.append(.empty)
    for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
      lines += cut("\(name): \(value)", Palette.quiet)
    }
    if let body = request.body, !body.isEmpty {
      if !request.headers.isEmpty { lines.append(.empty) }
      for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        lines += line.isEmpty ? [.empty] : cut(String(line))
      }
    } else if request.headers.isEmpty {
      lines += StyledText(words(.requestNothing), style: Palette.quiet).wrapped(to: room)
    }
    return lines
  }

  /// Whether the bottom line has room for the receiver of a request.
  func fitsAtBottom(_ action: MessageAction) -> Bool {
    guard action.request != nil else { return true }
    let area = layout.bottom.isEmpty ? layout.prompt : layout.bottom
    let origin = SafeText(untrusted: RequestAddress(action.url).origin)
    return requestQuestion(action, origin).columns <= area.size.columns - 2
  }

  /// Returns the question that asks the user whether to send the request of an action.
  ///
  /// - Parameter subject: the URL, or its beginning.
  func requestQuestion(_ action: MessageAction, _ subject: SafeText) -> SafeText {
    words(
      .requestAsks, SafeText(untrusted: action.request?.method ?? ""), subject,
      SafeText(untrusted: KeyPress(.enter).name), SafeText(untrusted: KeyPress(.tab).name),
      SafeText(untrusted: KeyPress(.escape).name))
  }
}

/// The URL of a request in two parts: the receiver, and the rest.
struct RequestAddress {
  /// Scheme, host and port: `https://home.example:8443`. A user name before the host, which is not sent, is left out;
  /// an ambiguous URL stays unchanged.
  let origin: String
  let rest: String

  init(_ address: String) {
    guard let colons = address.firstRange(of: "://") else {
      (origin, rest) = (address, "")
      return
    }
    let end = address[colons.upperBound...].firstIndex { "/?#".contains($0) } ?? address.endIndex
    var authority = address[colons.upperBound..<end]
    let parts = authority.split(onBytes: "@", omittingEmptySubsequences: false)
    if parts.count == 2, !authority.contains("\\") { authority = parts[1] }
    origin = String(address[..<colons.upperBound] + authority)
    rest = String(address[end...])
  }
}
