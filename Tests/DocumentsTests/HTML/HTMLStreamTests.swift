import Testing

@testable import Formats

/// The events of a sink, as text.
private final class Told: HTMLSink {
  var events = ""
  var isFull = false
  private let room: Int

  init(room: Int = .max) { self.room = room }

  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes) {
    let list = attributes.list.map { " \($0.name)=\($0.value)" }.joined()
    events += "<\(String(cString: name))\(list)>"
    isFull = events.utf8.count > room
  }

  func endElement(_ name: UnsafePointer<UInt8>) { events += "</\(String(cString: name))>" }

  func characters(_ text: UnsafeBufferPointer<UInt8>) { events += String(decoding: text, as: UTF8.self) }
}

struct HTMLStreamTests {
  private func told(_ html: String, _ reading: HTMLStream.Reading, room: Int = .max) -> String {
    let sink = Told(room: room)
    var html = html
    html.withUTF8 { HTMLStream(sink: sink, reading: reading).run($0) }
    return sink.events
  }

  @Test(arguments: [
    ("<p>a &eacute; &#146; &Tab;&NewLine; &nvlt;</p>", "<html><body><p>a é ’    <⃒</p></body></html>"),
    ("<p>&copy 1 &AMP; &copyx</p>", "<html><body><p>© 1 & &copyx</p></body></html>"),
    ("<p title='a&quot;&gt;b'>x", "<html><body><p title=a\">b>x</p></body></html>"),
    ("<p>a\u{0}b", "<html><body><p>a\u{FFFD}b</p></body></html>"), ("", ""),
  ])
  func aPageIsReadAsBrowsersReadIt(html: String, events: String) {
    #expect(told(html, .page) == events)
  }

  @Test func aFragmentHasOnlyWhatIsWritten() {
    #expect(told("<div>a<b>c</div>", .fragment) == "<div>a<b>c</b></div>")
  }

  @Test func aFullSinkGetsNoMoreEvents() {
    #expect(told("<p>one<p>two<p>three", .page, room: 10) == "<html><body>")
  }
}
