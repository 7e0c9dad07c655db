import Basics
import CPCRE2

/// A regular expression of PCRE2, independent of the process's locale.
///
/// It is matched line by line, as grep does: `^` and `$` are the ends of a line. Expressions are equal if
/// their patterns and their case sensitivity are.
package final class RegularExpression: Sendable {
  /// The pattern without the slashes around it.
  package let pattern: String
  package let isCaseSensitive: Bool
  /// The compiled code, which never changes until it is freed, so that any number of threads may search with it.
  private nonisolated(unsafe) let code: OpaquePointer
  /// Whether the expression has back references.
  private let refersBack: Bool

  /// Compiles an expression.
  ///
  /// - Throws: the reason why it is rejected.
  package convenience init(_ pattern: String, isCaseSensitive: Bool = false) throws(Query.PatternFault) {
    do throws(LocatedFault) {
      try self.init(located: pattern, isCaseSensitive: isCaseSensitive)
    } catch {
      throw error.fault
    }
  }

  /// Compiles an expression; errors contain their position in it.
  ///
  /// - Throws: the reason why it is rejected, and the position.
  init(located pattern: String, isCaseSensitive: Bool) throws(LocatedFault) {
    // The length is checked before anything that takes time.
    if pattern.utf8.count > Limits.patternBytes {
      throw LocatedFault(0..<pattern.unicodeScalars.count, .tooLong(most: Limits.patternBytes))
    }
    code = try Self.compiled(PatternDialect(pattern), isCaseSensitive: isCaseSensitive)
    var references: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_BACKREFMAX), &references)
    refersBack = references > 0
    self.pattern = pattern
    self.isCaseSensitive = isCaseSensitive
  }

  deinit { pcre2_code_free_8(code) }

  private static func compiled(
    _ dialect: PatternDialect, isCaseSensitive: Bool
  ) throws(LocatedFault) -> OpaquePointer {
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    // The default depends on how the library was built.
    pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
    // The library reports each item that it processes, so that the work can be counted.
    let options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT
      | (isCaseSensitive ? 0 : PCRE2_CASELESS)
    var (number, offset): (CInt, Int) = (0, 0)
    if let code = pcre2_compile_8(
      dialect.written, dialect.written.count, options, &number, &offset, context)
    {
      return code
    }
    // The library reports the beginning of a lookbehind, and the end of everything else.
    let isStart = number == PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH
    let range = dialect.given(before: isStart ? offset + 1 : offset)
    throw LocatedFault(range, fault(number, dialect.text(range)))
  }

  /// Converts an error number of PCRE2 to a fault.
  private static func fault(_ number: CInt, _ text: String) -> Query.PatternFault {
    switch number {
    case PCRE2_ERROR_CLASS_RANGE_ORDER, PCRE2_ERROR_CLASS_INVALID_RANGE: .range
    case PCRE2_ERROR_QUANTIFIER_INVALID: .repetition
    case PCRE2_ERROR_UNKNOWN_POSIX_CLASS, PCRE2_ERROR_POSIX_NO_SUPPORT_COLLATING,
      PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY, PCRE2_ERROR_MALFORMED_UNICODE_PROPERTY:
      .className
    case PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE: .backReference
    case PCRE2_ERROR_PATTERN_TOO_LARGE: .tooLarge
    case PCRE2_ERROR_POSIX_CLASS_NOT_IN_CLASS: .unknownSyntax("[:…:]", instead: "[[:…:]]")
    case PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH: .unknownSyntax("(?<=…*)", instead: "(?<=…|…)")
    case PCRE2_ERROR_BACKSLASH_C_CALLER_DISABLED: .unknownSyntax(text, instead: ".")
    case PCRE2_ERROR_UNKNOWN_ESCAPE, PCRE2_ERROR_UNSUPPORTED_ESCAPE_SEQUENCE,
      PCRE2_ERROR_ESCAPE_INVALID_IN_CLASS:
      .unknownSyntax(text, instead: "[…]")
    case _: .refused(message(number))
    }
  }

  private static func message(_ number: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(number, &bytes, bytes.count)
    return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
  }

  // MARK: - Searching

  /// Whether a line of the text's first 16 KiB has a match; `false` if finding out would take too long.
  package func matches(_ text: String) -> Bool {
    var steps = Limits.patternStepsPerMessage
    return matches(text, steps: &steps) ?? false
  }

  /// Whether a line of the text's first 16 KiB has a match.
  ///
  /// - Parameter steps: the number of allowed steps, from which the used ones are subtracted. Steps are counted instead
  ///   of time, since their number is the same on each machine.
  /// - Returns: `nil` if it would take too many, or exceed one of the library's limits.
  func matches(_ text: String, steps: inout Int) -> Bool? {
    var isFound = false
    let isKnown = search(text, &steps) { _ in
      isFound = true
      return false
    }
    return isKnown ? isFound : nil
  }

  /// Returns the matches to mark: ranges of bytes of the text as UTF-8, in order, without empty ones. If the search
  /// takes too long, only the first ones are returned.
  package func places(in text: String) -> [Range<Int>] {
    var steps = Limits.patternStepsPerMessage
    var found: [Range<Int>] = []
    _ = search(text, &steps) {
      if !$0.isEmpty { found.append($0) }
      return true
    }
    return found
  }

  /// Searches the lines of the text's first 16 KiB.
  ///
  /// - Parameter found: receives each match, and returns whether to continue.
  /// - Returns: `false` if it takes too long.
  private func search(_ text: String, _ steps: inout Int, found: (Range<Int>) -> Bool) -> Bool {
    let (data, context) = (pcre2_match_data_create_8(1, nil), pcre2_match_context_create_8(nil))
    defer {
      pcre2_match_data_free_8(data)
      pcre2_match_context_free_8(context)
    }
    pcre2_set_match_limit_8(context, Limits.patternMatches)
    pcre2_set_depth_limit_8(context, Limits.patternMatchDepth)
    pcre2_set_heap_limit_8(context, Limits.patternHeapKiB)
    var account = StepAccount(left: steps, refersBack: refersBack)
    defer { steps = max(0, account.left) }
    var text = text
    return text.withUTF8 { bytes in
      withUnsafeMutablePointer(to: &account) { account in
        pcre2_set_callout_8(context, countSteps, account)
        let end = Self.end(of: bytes)
        var low = 0
        while low <= end {
          let high = bytes[low..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
          let line = UnsafeBufferPointer(rebasing: bytes[low..<high])
          account.pointee.left -= line.count
          account.pointee.place = 0
          var start = 0
          while start <= line.count {
            account.pointee.left -= Limits.patternStepsOfCall
            guard account.pointee.left >= 0 else { return false }
            let result = pcre2_match_8(
              code, line.baseAddress, line.count, start, PCRE2_NO_UTF_CHECK, data, context)
            if result == PCRE2_ERROR_NOMATCH { break }
            guard result >= 0, let match = pcre2_get_ovector_pointer_8(data) else { return false }
            // `\K` in a lookahead may move its beginning behind its end.
            let (first, last) = (match[0], max(match[0], match[1]))
            if !found(low + first..<low + last) { return true }
            // After an empty match, the search continues with the next character.
            start = last > first ? last : Self.next(after: last, in: line)
          }
          low = high + 1
        }
        return true
      }
    }
  }

  /// Returns the position of the next character.
  private static func next(after place: Int, in line: UnsafeBufferPointer<UInt8>) -> Int {
    var next = place + 1
    while next < line.count, line[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  /// Returns the end of the part of the text to search: at most 16 KiB, and not inside a character.
  private static func end(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var end = min(bytes.count, Limits.patternTextBytes)
    while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
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

/// The remaining steps, and the position of the search in its line.
private struct StepAccount {
  var left: Int
  var place = 0
  let refersBack: Bool
}

/// Counts steps; the library calls it before each item of the expression. The library's own limits start again at each
/// character. They count neither the characters that an item passes over nor those that a group is compared with.
private func countSteps(
  _ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ account: UnsafeMutableRawPointer?
) -> CInt {
  guard let block, let account = account?.assumingMemoryBound(to: StepAccount.self) else { return 0 }
  let place = block.pointee.current_position
  var steps = Limits.patternStepsOfItem + max(0, place - account.pointee.place)
  if account.pointee.refersBack {
    for group in 1..<max(1, Int(block.pointee.capture_top)) {
      let (low, high) = (block.pointee.offset_vector[2 * group], block.pointee.offset_vector[2 * group + 1])
      // Both are the largest integer if the group has none.
      steps += high > low ? high - low : 0
    }
  }
  account.pointee.place = place
  account.pointee.left -= steps
  return account.pointee.left < 0 ? PCRE2_ERROR_CALLOUT : 0
}
