import Basics
import Foundation
import Synchronization

/// A regular expression of POSIX extended syntax, compiled by the C library, whatever the process's locale is.
///
/// It is matched line by line, as grep does: `^` and `$` are the ends of a line. Equal if pattern and case are.
package final class RegularExpression: Sendable {
  /// Without the slashes around it.
  package let pattern: String
  package let isCaseSensitive: Bool
  /// Steps of the matcher for each byte of a text, at most.
  let stepsPerByte: Int
  /// As the library gets it.
  private let written: String

  /// Compiled anew now and then, see `Limits.patternStateBytes`. Its lock is ours: one search at a time, whatever
  /// the library does.
  private let search: Mutex<Search>

  private struct Search: ~Copyable {
    var compiled: Compiled?
    var bytes = 0
  }

  /// - Throws: why it is refused.
  package convenience init(_ pattern: String, isCaseSensitive: Bool = false) throws(Query.PatternFault) {
    do throws(LocatedFault) {
      try self.init(located: pattern, isCaseSensitive: isCaseSensitive)
    } catch {
      throw error.fault
    }
  }

  /// - Throws: why it is refused, and where if that is known; else the whole.
  init(located pattern: String, isCaseSensitive: Bool) throws(LocatedFault) {
    // Before its length is checked, nothing takes its time.
    if pattern.utf8.count > Limits.patternBytes {
      throw LocatedFault(0..<pattern.unicodeScalars.count, .tooLong(most: Limits.patternBytes))
    }
    let whole = 0..<pattern.unicodeScalars.count
    let dialect = try PatternDialect(pattern)
    let posix = String(dialect.written)
    do throws(LocatedFault) {
      stepsPerByte = try PatternShape.check(posix)
    } catch {
      throw LocatedFault(dialect.given(error.range), error.fault)
    }
    // Alone first: what is put around it could give it another meaning.
    do throws(Query.PatternFault) { written = try PatternRanges.writtenOut(posix) } catch {
      throw LocatedFault(whole, error)
    }
    let isCaseSensitive = isCaseSensitive && !dialect.ignoresCase
    switch Compiled.compile(written, isCaseSensitive: isCaseSensitive, marks: false) {
    case .success: break
    case .failure(let fault): throw LocatedFault(whole, fault)
    }
    self.pattern = pattern
    self.isCaseSensitive = isCaseSensitive
    search = Mutex(Search())
  }

  /// The steps that `matches` takes at most: counted before, so that they are the same on each machine.
  func steps(for text: String) -> Int { min(text.utf8.count, Limits.patternTextBytes) * stepsPerByte }

  /// Whether a line of the text's first 16 KiB has a match.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = Self.beginning(bytes, Limits.patternTextBytes)
      guard bytes.contains(0) else { return matches(bytes) }
      // Not even `.` matches a NUL.
      return bytes.map { $0 == 0 ? 0x20 : $0 }.withUnsafeBufferPointer { matches($0[...]) }
    }
  }

  private func matches(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    search.withLock { search in
      if search.compiled == nil {
        // It was compiled before: only a lack of memory can refuse it now, and then nothing matches.
        search.compiled = Compiled.compile(searching, isCaseSensitive: isCaseSensitive, marks: false).value
        search.bytes = 0
      }
      guard let compiled = search.compiled else { return false }
      let isFound = UTF8Locale.use { Self.lines(text).contains { compiled.matches($0) } }
      search.bytes += text.count
      if search.bytes > Limits.patternStateBytes { search.compiled = nil }
      return isFound
    }
  }

  /// Finds the pattern anywhere in one pass from the start of a line. The library's own search begins anew at each
  /// character, so that `(a+)+$` takes a second for 16 KiB; in one pass it takes half a millisecond.
  private var searching: String { "^.*(\(written))" }

  /// Where it matches, to be marked: bytes of the text as UTF-8, in order, without empty ones. Of a long line only
  /// the beginning is looked at.
  package func places(in text: String) -> [Range<Int>] {
    guard let compiled = Compiled.compile(written, isCaseSensitive: isCaseSensitive, marks: true).value
    else { return [] }
    var text = text
    return text.withUTF8 { bytes in
      let bytes = Self.beginning(bytes, Limits.patternTextBytes)
      return bytes.map { $0 == 0 ? 0x20 : $0 }.withUnsafeBufferPointer { bytes in
        UTF8Locale.use {
          Self.lines(bytes[...]).flatMap { line in
            compiled.places(
              in: Self.beginning(UnsafeBufferPointer(rebasing: line), Limits.patternMarkedBytes)
            )
            .map { line.startIndex + $0.lowerBound..<line.startIndex + $0.upperBound }
          }
        }
      }
    }
  }

  /// Cut between characters.
  private static func beginning(
    _ bytes: UnsafeBufferPointer<UInt8>, _ most: Int
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard bytes.count > most else { return bytes[...] }
    var end = most
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes[..<end]
  }

  private static func lines(
    _ text: Slice<UnsafeBufferPointer<UInt8>>
  ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    text.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
  }
}

extension RegularExpression: Hashable {
  package static func == (a: RegularExpression, b: RegularExpression) -> Bool {
    a.isCaseSensitive == b.isCaseSensitive && a.pattern.utf8.elementsEqual(b.pattern.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isCaseSensitive)
    for byte in pattern.utf8 { hasher.combine(byte) }
  }
}

/// The library's form of an expression, freed with it.
///
/// Sendable, because it is used by one thread at a time: under the lock of its expression, or inside one call.
private final class Compiled: @unchecked Sendable {
  private let regex: UnsafeMutablePointer<regex_t>

  private init(_ regex: UnsafeMutablePointer<regex_t>) { self.regex = regex }

  deinit {
    regfree(regex)
    regex.deallocate()
  }

  /// - Parameter marks: the places are asked for too, not only whether there is one.
  static func compile(
    _ pattern: String, isCaseSensitive: Bool, marks: Bool
  ) -> Result<Compiled, Query.PatternFault> {
    let regex = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    regex.initialize(to: regex_t())
    let flags = REG_EXTENDED | (isCaseSensitive ? 0 : REG_ICASE) | (marks ? 0 : REG_NOSUB)
    // A NUL would end the pattern; none is found in a text either.
    let pattern = pattern.replacing(exactly: "\0", with: " ")
    let code = UTF8Locale.use { regcomp(regex, pattern, flags) }
    guard code == 0 else {
      regex.deallocate()
      return .failure(fault(code))
    }
    return .success(Compiled(regex))
  }

  private static func fault(_ code: CInt) -> Query.PatternFault {
    // Enumerators in glibc and macros in Darwin, with the same numbers.
    switch code {
    case 3, 4: .className
    case 5: .escape
    case 6: .backReference
    case 7: .brackets
    case 8: .parentheses
    case 9, 10: .braces
    case 11: .range
    case 13: .repetition
    case _: .refused
    }
  }

  func matches(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool { place(in: line, isStart: true) != nil }

  func places(in line: Slice<UnsafeBufferPointer<UInt8>>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = line.startIndex
    while start < line.endIndex, let place = place(in: line[start...], isStart: start == line.startIndex) {
      let (low, high) = (start + place.lowerBound, start + place.upperBound)
      if low < high { found.append(low..<high) }
      // After an empty match, from the next character on.
      start = max(high, start)
      if low == high {
        start += 1
        while start < line.endIndex, line[start] & 0xC0 == 0x80 { start += 1 }
      }
    }
    return found
  }

  /// The first match, from the slice's start.
  private func place(in text: Slice<UnsafeBufferPointer<UInt8>>, isStart: Bool) -> Range<Int>? {
    var match = regmatch_t(rm_so: 0, rm_eo: regoff_t(text.count))
    let flags = REG_STARTEND | (isStart ? 0 : REG_NOTBOL)
    let code: CInt
    if let base = text.base.baseAddress {
      code = UnsafeRawPointer(base + text.startIndex).withMemoryRebound(to: CChar.self, capacity: text.count)
      {
        regexec(regex, $0, 1, &match, flags)
      }
    } else {
      code = regexec(regex, "", 1, &match, flags)
    }
    guard code == 0, match.rm_so >= 0, match.rm_eo >= match.rm_so else { return nil }
    return Int(match.rm_so)..<Int(match.rm_eo)
  }
}

extension Result<Compiled, Query.PatternFault> {
  fileprivate var value: Compiled? {
    if case .success(let compiled) = self { compiled } else { nil }
  }
}

/// A locale in which the C library reads UTF-8, for this thread and for as long as it is needed.
private enum UTF8Locale {
  static func use<Value>(_ body: () -> Value) -> Value {
    guard let locale else { return body() }
    let own = uselocale(locale)
    defer { uselocale(own) }
    return body()
  }

  // Made once, never changed or freed: reading it from any thread is safe.
  private nonisolated(unsafe) static let locale: locale_t? = {
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"] {
      if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return locale }
    }
    return nil
  }()
}
