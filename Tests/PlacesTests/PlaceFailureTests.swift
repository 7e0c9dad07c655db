import Testing

@testable import Places

@Suite struct PlaceFailureTests {
  @Test func failuresOfDifferentPlacesDiffer() {
    #expect(PlaceFailure.full(place: "a") != PlaceFailure.full(place: "b"))
  }
}
