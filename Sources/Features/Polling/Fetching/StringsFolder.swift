package import Basics
package import Formats
import Foundation
package import Platform

/// The localised strings of an app, from its `<language>.lproj` folders.
package struct StringsFolder: Sendable {
  package var catalog = LocalizedStringsCatalog()
  /// The problems of files that cannot be read or are not supported, with their paths in the folder.
  package var problems: [FormatProblem] = []
  private var tables: [LocalizableStrings] = []

  /// Creates a value without strings.
  package init() {}

  /// Whether any language has a string for a key.
  package func holds(_ key: String) -> Bool { tables.contains { $0[key] != nil } }

  /// Reads the `<language>.lproj` folders in a folder.
  ///
  /// - Parameter language: the language whose files are read; `nil` reads all.
  /// - Throws: if the folder itself cannot be read. A file in it that cannot be read is a problem.
  package static func read(_ path: String, language: String? = nil) throws(GivenFile.Failure) -> StringsFolder
  {
    var folder = StringsFolder()
    let candidates = language.map(LocalizedStringsCatalog.candidates)
    var found = false
    for name in try names(in: path).sorted() where name.hasSuffix(".lproj") {
      let tag = String(name.dropLast(".lproj".count))
      if let candidates, !candidates.contains(LanguageChoice.normalized(tag)) { continue }
      found = true
      folder.add("\(path)/\(name)", name: name, language: tag)
    }
    if !found {
      let wanted = candidates?.map { "\($0).lproj" }.joined(separator: ", ") ?? "en.lproj or another language"
      folder.problems.append(FormatProblem(at: path, message: "contains none of \(wanted)"))
    }
    return folder
  }

  /// Reads the strings of one language, and adds them or the problem of the file.
  private mutating func add(_ path: String, name: String, language: String) {
    do throws(GivenFile.Failure) {
      let files = try Self.names(in: path).sorted()
      for file in files where file.hasSuffix(".stringsdict") {
        problems.append(
          FormatProblem(
            at: "\(name)/\(file)",
            message: "is not read: reddot does not support the plural rules of .stringsdict"))
      }
      let file = "Localizable.strings"
      guard files.contains(file) else {
        problems.append(FormatProblem(at: name, message: "contains no \(file)"))
        return
      }
      let bytes: Data
      do throws(BoundedFile.Failure) {
        bytes = try BoundedFile.read("\(path)/\(file)", limit: Limits.editedFileBytes)
      } catch {
        throw GivenFile.Failure(name: "\(path)/\(file)", reason: error.reason)
      }
      do throws(StringsFailure) {
        let strings = try LocalizableStrings.read(bytes)
        catalog.add(strings, language: language)
        tables.append(strings)
      } catch {
        problems.append(FormatProblem(at: "\(name)/\(file)", message: "\(error); its keys are shown instead"))
      }
    } catch {
      problems.append(FormatProblem(at: error.name, message: error.reason))
    }
  }

  private static func names(in path: String) throws(GivenFile.Failure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw GivenFile.Failure(name: path, reason: SystemReason.words(error))
    }
  }
}
