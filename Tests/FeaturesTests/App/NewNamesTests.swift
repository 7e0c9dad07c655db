import Testing

@testable import Settings

struct NewNamesTests {
  @Test func theNameIsTheTitleElseTheHost() {
    var names = NewNames(besides: ["News"])
    #expect(names.next("Blog", address: "https://a.example/feed") == "Blog")
    #expect(names.next("", address: "https://a.example/feed") == "a.example")
    #expect(names.next("News", address: "https://b.example/feed") == "News 2")
    #expect(names.next("News", address: "https://c.example/feed") == "News 3")
    #expect(names.next("News 3", address: "https://d.example/feed") == "News 3 2")
  }

  @Test func tenThousandFeedsOfOneTitleGetNamesOfTheirOwn() {
    var names = NewNames(besides: [])
    let taken = (0..<10_000).map { names.next("Same", address: "https://h\($0).example/") }
    #expect(Set(taken).count == 10_000)
    #expect(taken.last == "Same 10000")
  }

  @Test func aNumberMakesNoNameLongerThanNamesMayBe() {
    let title = String(repeating: "x", count: 64)
    var names = NewNames(besides: [])
    for number in 0..<12_000 {
      let name = names.next(title, address: "https://h\(number).example/")
      #expect(SourceName.isValid(name))
    }
  }
}
