import Basics
import Testing

@testable import Services

struct ServiceTextTests {
  @Test(arguments: [
    "https://a.example/b?c#d", "x:", "mailto:a@b.example", "A-1.+:x", "gemini://h",
  ])
  func anAddressHasAScheme(text: String) { #expect(ServiceText.address(text) == text) }

  @Test(arguments: [
    nil, "", ":", "a", "/a:b", "1a:b", "@a:b", "[a]:b", "é:b", "a_b:c", "a b:c", "https://a.example/\n",
    "a:\u{7F}",
    "-a:b",
  ])
  func otherTextIsNoAddress(text: String?) { #expect(ServiceText.address(text) == nil) }

  @Test(arguments: [
    ("", ""), ("a b", "a b"), (" a ", "a"), ("a\r\nb", "a b"), ("a\u{0}", "a"), ("\t", ""),
    ("消息 中心", "消息 中心"),
    ("\u{3000}消息\u{A0}", "消息"), ("a\u{2028}b", "a b"), ("a\u{85}b", "a b"), ("é", "é"), ("\u{1680}a", "a"),
    ("ひらがな", "ひらがな"), ("a  b", "a  b"), ("a \n b", "a b"),
  ])
  func aLineHasNoControlsAndNoSpacesAtItsEnds(text: String, line: String) {
    #expect(ServiceText.oneLine(text) == line)
  }

  @Test func anAddressThatIsTooLongIsNone() {
    let text = "https://a.example/"
    let rest = Limits.addressBytes - text.utf8.count
    #expect(ServiceText.address(text + String(repeating: "a", count: rest)) != nil)
    #expect(ServiceText.address(text + String(repeating: "a", count: rest + 1)) == nil)
  }
}
