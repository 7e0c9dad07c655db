import Foundation
import TestBasics
import Testing

@testable import Formats

/// nst/JSONTestSuite: y_ must be read, n_ must be refused, i_ may be either; none may crash.
@Suite(
  .enabled("skipped: no published JSON cases; name their folder in REDDOT_CORPORA") {
    Corpora.find("json/test_parsing") != nil
  })
struct JSONTestSuiteTests {
  private func files(_ prefix: String) throws -> [URL] {
    let folder = try #require(Corpora.find("json/test_parsing"))
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return files.filter { $0.lastPathComponent.hasPrefix(prefix) }
  }

  private func reads(_ file: URL) throws -> Bool {
    let bytes = try Data(contentsOf: file)
    do throws(JSONFailure) {
      _ = try JSONReader.parse(bytes)
      return true
    } catch {
      #expect(error.line >= 1 && error.column >= 1)
      return false
    }
  }

  @Test func everyGoodDocumentIsRead() throws {
    let files = try files("y_")
    #expect(files.count > 90)
    for file in files { #expect(try reads(file), "\(file.lastPathComponent)") }
  }

  @Test func everyBadDocumentIsRefused() throws {
    let files = try files("n_")
    #expect(files.count > 180)
    for file in files { #expect(try !reads(file), "\(file.lastPathComponent)") }
  }

  @Test func everyDoubtfulDocumentIsReadOrRefused() throws {
    let files = try files("i_")
    #expect(files.count > 30)
    for file in files { _ = try reads(file) }
  }

  @Test func whatIsReadIsTheSameAfterWriting() throws {
    for file in try files("y_") {
      let value = try JSONReader.parse(try Data(contentsOf: file))
      for pretty in [false, true] {
        for escaping in [JSONValue.Escaping.required, .invisible] {
          let again = try JSONReader.parse(value.serialized(pretty: pretty, escaping: escaping))
          #expect(again == value, "\(file.lastPathComponent)")
        }
      }
    }
  }

  @Test func walkingAnyOfThemTerminatesAndAgreesWithParsing() throws {
    for file in try files("") {
      let bytes = try Data(contentsOf: file)
      let wrapped = Data(#"{"list": [1, "#.utf8) + bytes + Data(", 2]}".utf8)
      var whole = 0
      do throws(JSONFailure) {
        try JSONReader.walk(wrapped, streaming: "list") {
          if case .element = $0 { whole += 1 }
        }
      } catch {
        #expect(whole >= 1)
      }
      if (try? JSONReader.parse(wrapped)) != nil { #expect(whole >= 3, "\(file.lastPathComponent)") }
    }
  }
}
