import Basics
import Foundation
import Testing

@testable import Services

/// The output of a monitoring plugin, even if most of it is line ends.
@Suite struct PluginTextTests {
  @Test(arguments: [
    ("OK: 5 users | users=5", "OK: 5 users", "users=5"),
    ("OK | a=1\r\ndetails\r\n\r\nmore | b=2\nc=3", "OK", "details\n\nmore\n\na=1\nb=2\nc=3"),
    ("\n\nlate", "", "late"), ("", "", ""), ("OK\n\n\n", "OK", ""), ("OK\n|x=1\ny | 2", "OK", "x=1\ny | 2"),
    ("OK\rold mac", "OK", "old mac"),
  ])
  func titleDetailsAndPerfdataAreParted(output: String, title: String, body: String) {
    let text = PluginText(Data(output.utf8))
    #expect(text.title == title)
    #expect(text.body == body)
  }

  @Test func millionsOfLineEndsAreCutToWhatIsStored() {
    let ends = Data(repeating: 0x0A, count: 3 << 20)
    #expect(PluginText(ends).body == "")
    #expect(PluginText(Data("OK\n".utf8) + ends + Data("end".utf8)).body == "end")
    let filled = PluginText(Data("OK\na".utf8) + ends + Data("end".utf8))
    #expect(filled.body == "a")
    #expect(PluginText(Data(repeating: 0x78, count: 3 << 20)).title.utf8.count <= Limits.titleBytes)
  }
}
