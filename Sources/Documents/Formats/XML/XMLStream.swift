import Basics
import CXML2
import Foundation

/// One run of libxml2's SAX parser over UTF-8 bytes, without network access, without a tree, and without expanding
/// nested entities.
final class XMLStream {
  struct Failure {
    var line: Int
    var message: String
  }

  /// The result of a run.
  struct Ending {
    /// The first error, or `nil` if there was none.
    var failure: Failure?
    /// Whether the root element was closed.
    var isComplete: Bool
    /// The entities that the document declared.
    var entities: XMLEntities
  }

  private var failure: Failure?
  private var entities: XMLEntities
  private var isComplete = false
  private let sink: any XMLSink
  private let isRecovering: Bool
  /// The number of start tags that `XMLRepair` added around the document and that are still to be skipped.
  private var wrappersLeft: Int
  private var depth = 0
  private var context: xmlParserCtxtPtr?
  /// The input that was not read yet.
  private var pending: UnsafeBufferPointer<UInt8>
  /// The pieces to read after `pending`.
  private var following: ArraySlice<UnsafeBufferPointer<UInt8>> = []
  /// The input of a recovering run, instead of `pending`.
  private var repair: XMLRepair?
  private var isStopped = false
  /// The name in an end tag that did not match, as "prefix:local".
  private var mismatch: [UInt8]?
  /// The entities that were passed to libxml2, keyed by name; see `entity`.
  private var entityCells:
    [String: (text: UnsafeMutablePointer<xmlEntity>, attribute: UnsafeMutablePointer<xmlEntity>)] = [:]

  private let allowance: Allowance

  /// Creates a strict run, which stops at the first error.
  convenience init(_ bytes: UnsafeBufferPointer<UInt8>, sink: any XMLSink, allowance: Allowance) {
    self.init([bytes], sink: sink, allowance: allowance)
  }

  /// Creates a strict run over several consecutive pieces.
  init(_ pieces: [UnsafeBufferPointer<UInt8>], sink: any XMLSink, allowance: Allowance) {
    self.allowance = allowance
    pending = UnsafeBufferPointer(start: nil, count: 0)
    following = pieces[...]
    self.sink = sink
    isRecovering = false
    wrappersLeft = 0
    entities = XMLEntities()
  }

  /// Creates a run over repaired bytes, which continues after errors.
  init(_ repair: XMLRepair, sink: any XMLSink, allowance: Allowance) {
    self.allowance = allowance
    pending = UnsafeBufferPointer(start: nil, count: 0)
    self.repair = repair
    self.sink = sink
    isRecovering = true
    wrappersLeft = repair.wrappers
    entities = repair.entities
  }

  deinit {
    for cells in entityCells.values {
      for cell in [cells.text, cells.attribute] {
        free(UnsafeMutableRawPointer(mutating: cell.pointee.name))
        free(cell.pointee.content)
        cell.deallocate()
      }
    }
  }

  /// Parses the document, and sends its events to the sink.
  @discardableResult func run() -> Ending {
    LibXML.initialize()
    var handler = Self.handler()
    let me = Unmanaged.passUnretained(self).toOpaque()
    let read: xmlInputReadCallback = { me, buffer, length in
      guard let me, let buffer else { return 0 }
      return Int32(XMLStream.from(me).read(into: buffer, atMost: Int(length)))
    }
    context = xmlCreateIOParserCtxt(&handler, me, read, nil, me, XML_CHAR_ENCODING_UTF8)
    guard let context else { return Ending(failure: nil, isComplete: false, entities: entities) }
    defer {
      // This frees the document of the declared entities, which a stopped run does not free.
      if let document = context.pointee.myDoc { xmlFreeDoc(document) }
      xmlFreeParserCtxt(context)
      self.context = nil
    }
    let options =
      XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue | (isRecovering ? XML_PARSE_RECOVER.rawValue : 0)
    _ = xmlCtxtUseOptions(context, Int32(options))
    // The limit stops the growth of its hash table: otherwise a document of many different names would take very long.
    _ = xmlDictSetLimit(context.pointee.dict, Limits.xmlNamesBytes)
    _ = xmlParseDocument(context)
    return Ending(failure: failure, isComplete: isComplete, entities: entities)
  }

  /// The parser's current line, from 1.
  var line: Int { context.map { Int(xmlSAX2GetLineNumber($0)) } ?? 0 }

  /// Ends the run after the current event.
  func stop() { isStopped = true }

  /// Returns the stream that a callback belongs to.
  fileprivate static func from(_ pointer: UnsafeMutableRawPointer) -> XMLStream {
    Unmanaged<XMLStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Calls the body with the stream of a callback. There is no reference counting, since callbacks are called millions
  /// of times; `run` holds a reference.
  @inline(__always)
  fileprivate static func with(_ pointer: UnsafeMutableRawPointer, _ body: (XMLStream) -> Void) {
    Unmanaged<XMLStream>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  /// Copies the next bytes of the input, and returns their number, or 0 at the end.
  private func read(into buffer: UnsafeMutablePointer<CChar>, atMost limit: Int) -> Int {
    guard !isStopped else { return 0 }
    if repair != nil {
      return repair?.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit)) ?? 0
    }
    while pending.isEmpty, let next = following.popFirst() { pending = next }
    guard let start = pending.baseAddress else { return 0 }
    let length = min(limit, pending.count)
    memcpy(buffer, start, length)
    pending = UnsafeBufferPointer(rebasing: pending.dropFirst(length))
    return length
  }
}

// MARK: - Events

extension XMLStream {
  /// Returns libxml2's structure of callbacks.
  private static func handler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    handler.startElementNs = { me, local, prefix, uri, _, _, count, _, cells in
      guard let me, let local else { return }
      XMLStream.with(me) {
        $0.start(
          XMLName(local: local, prefix: prefix, uri: uri), XMLAttributes(cells: cells, count: Int(count)))
      }
    }
    handler.endElementNs = { me, local, prefix, uri in
      guard let me, let local else { return }
      XMLStream.with(me) { $0.end(XMLName(local: local, prefix: prefix, uri: uri)) }
    }
    handler.characters = { me, text, length in
      guard let me, let text else { return }
      XMLStream.with(me) { $0.characters(UnsafeBufferPointer(start: text, count: Int(length))) }
    }
    handler.cdataBlock = handler.characters
    handler.ignorableWhitespace = handler.characters
    handler.getEntity = { me, name in
      guard let me, let name else { return nil }
      return XMLStream.from(me).entity(String(cString: name))
    }
    handler.entityDecl = { me, name, kind, _, _, content in
      guard let me, let name, let content, kind == Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue) else { return }
      XMLStream.from(me).entities.declare(String(cString: name), String(cString: content))
    }
    // This is called after the document's internal subset, and removes default attributes.
    handler.externalSubset = { me, _, _, _ in
      guard let me else { return }
      XMLStream.from(me).forgetDefaultAttributes()
    }
    handler.serror = { me, error in
      guard let me, let error else { return }
      XMLStream.from(me).failed(error.pointee)
    }
    return handler
  }

  /// Removes the default values of attributes that the document type declares.
  private func forgetDefaultAttributes() {
    guard let context, let defaults = context.pointee.attsDefault else { return }
    xmlHashFree(defaults) { cell, _ in free(cell) }
    context.pointee.attsDefault = nil
  }

  /// Passes a start tag to the sink, unless it is a wrapper of the repair.
  private func start(_ name: XMLName, _ attributes: XMLAttributes) {
    guard !isStopped else { return }
    if allowance.isSpent { return stop() }
    mend()
    if wrappersLeft > 0 {
      wrappersLeft -= 1
      return
    }
    depth += 1
    sink.startElement(name, attributes)
    // libxml2 searches all current namespaces for every name.
    if let context, context.pointee.nsNr > Limits.xmlNamespaces {
      failure = failure ?? Failure(line: line, message: "elements are nested too deeply")
      stop()
    }
  }

  /// Passes an end tag to the sink.
  private func end(_ name: XMLName) {
    guard !isStopped else { return }
    mend()
    depth -= 1
    if let written = mismatch {
      mismatch = nil
      let parts = written.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard let local = parts.last else { return }
      (Array(local) + [0]).withUnsafeBufferPointer { local in
        guard let local = local.baseAddress else { return }
        sink.endElement(XMLName(local: local, prefix: nil, uri: nil))
      }
    } else {
      sink.endElement(name)
      if depth == 0 { isComplete = true }
    }
  }

  private func characters(_ text: UnsafeBufferPointer<UInt8>) {
    guard !isStopped else { return }
    mend()
    // A reference like &#146; is read as the Windows-1252 character.
    if text.count == 2, text[0] == 0xC2, text[1] < 0xA0 {
      var bytes: [UInt8] = []
      Windows1252.append(text[1], to: &bytes)
      bytes.withUnsafeBufferPointer { sink.characters($0) }
    } else {
      sink.characters(text)
    }
  }

  /// Resets libxml2's `wellFormed` in a recovering run: otherwise it drops every entity reference after an error, even
  /// `&lt;`.
  private func mend() {
    if isRecovering { context?.pointee.wellFormed = 1 }
  }

  /// Records an error of the parser. A strict run stops at the first one.
  private func failed(_ error: xmlError) {
    guard error.level == XML_ERR_FATAL, !isStopped else { return }
    if failure == nil {
      let message = error.message.map { String(cString: $0) } ?? "not well formed"
      failure = Failure(
        line: Int(error.line), message: message.split(onBytes: "\n").first.map(String.init) ?? message)
    }
    if isRecovering {
      if error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue), let written = error.str2 {
        mismatch = Array(UnsafeBufferPointer(start: written, count: strlen(written))).map(
          UInt8.init(bitPattern:))
      }
    } else {
      isStopped = true
    }
  }

  /// Returns the entity with a name for libxml2, or `nil` if it is unknown.
  ///
  /// For content, the entity must be of libxml2's type "predefined", which is passed on unchanged. For
  /// attributes, it must be of the type "general", since libxml2 uses only the first byte of a predefined
  /// entity there.
  private func entity(_ name: String) -> UnsafeMutablePointer<xmlEntity>? {
    guard let context, context.pointee.inSubset == 0, !isStopped else { return nil }
    let isAttribute = context.pointee.instate == XML_PARSER_ATTRIBUTE_VALUE
    if let cells = entityCells[name] {
      // A short reference may expand to long text.
      guard allowance.spend(Int(cells.text.pointee.length)) else {
        stop()
        return nil
      }
      return isAttribute ? cells.attribute : cells.text
    }
    guard let value = entities.value(of: name) else { return nil }
    let cells = (
      text: Self.cell(name, value, XML_INTERNAL_PREDEFINED_ENTITY),
      attribute: Self.cell(name, value, XML_INTERNAL_GENERAL_ENTITY)
    )
    entityCells[name] = cells
    return isAttribute ? cells.attribute : cells.text
  }

  /// Creates the structure of libxml2 for an entity.
  private static func cell(
    _ name: String, _ value: String, _ type: xmlEntityType
  ) -> UnsafeMutablePointer<xmlEntity> {
    let cell = UnsafeMutablePointer<xmlEntity>.allocate(capacity: 1)
    var entity = xmlEntity()
    entity.type = XML_ENTITY_DECL
    entity.etype = type
    entity.name = strdup(name).map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
    entity.content = strdup(value).map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self) }
    entity.length = Int32(value.utf8.count)
    cell.initialize(to: entity)
    return cell
  }
}
