import Formats
import Foundation
import Screen
import TestBasics
import Testing

@testable import Words

/// Resources/<language>.lproj/Localizable.strings, the files of translators.
struct WordsFilesTests {
  // MARK: Files and keys

  @Test func everyFolderOfWordsIsALanguageOfTheProgram() throws {
    let resources = Project.folder.appending(path: "Resources").path
    let folders = try FileManager.default.contentsOfDirectory(atPath: resources)
    #expect(
      Set(folders.filter { $0.hasSuffix(".lproj") }) == Set(Language.allCases.map { "\($0.rawValue).lproj" }))
  }

  @Test(arguments: Language.allCases)
  func theProgramHasTheFileAsItIs(_ language: Language) throws {
    let file = try Data(contentsOf: Project.folder.appending(path: language.file))
    #expect(!file.isEmpty)
    let isEmbedded = language.bytes == file
    #expect(
      isEmbedded,
      "\(language.file) is not what is embedded; is it in Sources/Libraries/CResources/CResources.c?")
  }

  @Test(arguments: Language.allCases)
  func everyFileIsRead(_ language: Language) {
    do {
      let strings = try language.strings()
      #expect(!strings.keys.isEmpty, "\(language.file)")
    } catch {
      Issue.record("\(language.file), \(error)")
    }
  }

  @Test(arguments: Language.allCases)
  func everyFileHasTheKeysThatTheProgramAsksFor(_ language: Language) throws {
    let keys = Set(try language.strings().keys)
    #expect(Set(Words.keys).count == Words.keys.count)
    for key in Set(Words.keys).subtracting(keys).sorted() {
      Issue.record("\(language.file): \(key) is missing")
    }
    for key in keys.subtracting(Words.keys).sorted() {
      Issue.record("\(language.file): nothing asks for \(key)")
    }
  }

  /// An entry begins at the start of a line; no line of a longer text looks like one.
  @Test(arguments: Language.allCases)
  func everyKeyIsThereOnceAndInEnglishOrder(_ language: Language) throws {
    let text = try #require(String(validating: language.bytes, as: UTF8.self), "\(language.file)")
    let keys = text.matches(of: #/(?m)^"([^"]*)" = "/#).map { String($0.1) }
    var seen: Set<String> = []
    for key in keys where !seen.insert(key).inserted {
      Issue.record("\(language.file): \(key) is there twice")
    }
    #expect(keys == (try language.strings().keys), "\(language.file)")
    #expect(keys == (try Language.english.strings().keys), "\(language.file)")
  }

  // MARK: Arguments

  private static func arguments(_ form: some StringProtocol) -> [String] {
    String(form).matches(of: /\{\d\}/).map { String($0.output) }.sorted()
  }

  /// The text for one, if it differs, and the text for several.
  private static func forms(_ text: String) -> [Substring] {
    text.contains("\n") ? [text[...]] : text.split(separator: "|", omittingEmptySubsequences: false)
  }

  @Test(arguments: Language.allCases)
  func everyFormHasTheArgumentsOfTheEnglishText(_ language: Language) throws {
    let strings = try language.strings()
    let english = try Language.english.strings()
    for key in strings.keys {
      let forms = Self.forms(strings[key] ?? "")
      let wanted = Self.arguments(Self.forms(english[key] ?? "").last ?? "")
      #expect(forms.count <= 2, "\(language.file): \(key)")
      #expect(Self.arguments(forms.last ?? "") == wanted, "\(language.file): \(key)")
      // The form for exactly 1 may be without the number.
      for form in forms.dropLast() {
        let own = Self.arguments(form)
        let hasAll = own == wanted || language.plurals == .one && own == wanted.filter { $0 != "{1}" }
        #expect(hasAll, "\(language.file): \(key)")
      }
    }
  }

  @Test(arguments: Language.allCases)
  func everyBraceIsAnArgument(_ language: Language) throws {
    let strings = try language.strings()
    for key in strings.keys {
      let rest = (strings[key] ?? "").replacing(/\{[1-9]\}/, with: "")
      #expect(!rest.contains("{") && !rest.contains("}"), "\(language.file): \(key)")
    }
  }

  /// Arguments count from 1, and none is left out.
  @Test func englishLeavesNoArgumentOut() throws {
    let strings = try Language.english.strings()
    for key in strings.keys {
      let numbers = Set(Self.arguments(Self.forms(strings[key] ?? "").last ?? ""))
      #expect(numbers == Set((0..<numbers.count).map { "{\($0 + 1)}" }), "\(Language.english.file): \(key)")
    }
  }

  // MARK: A file with a mistake

  @Test func aMissingTextIsSaidInEnglish() throws {
    let own = try LocalizableStrings.read(Data(#""all" = "सभी";"#.utf8))
    let english = try LocalizableStrings.read(Data(#""all" = "All"; "quit.title" = "quit it";"#.utf8))
    let words = Words(.hindi, own: own) { english }
    #expect(words(.all) == "सभी")
    #expect(words.title(.quit) == "quit it")
    #expect(words(.inbox) == "inbox")
    #expect(words.title(.undo) == "undo")
    #expect(words.months.count == 12)
    #expect(words.language == "hi")
  }

  @Test func englishIsNotReadForALanguageThatHasAllTexts() throws {
    let hindi = try Language.hindi.strings()
    let words = Words(.hindi, own: hindi) {
      Issue.record("English was read")
      return LocalizableStrings()
    }
    for phrase in Phrase.allCases { #expect(words.page(phrase) == hindi[phrase.rawValue]) }
    for command in Command.allCases {
      #expect(words.title(command) == SafeText(untrusted: hindi[command.titleKey] ?? ""))
      #expect(words.help(command) == SafeText(untrusted: hindi[command.helpKey] ?? ""))
    }
  }
}
