import CCurl
import Foundation

/// Translates an `Exchange` to libcurl's options, and libcurl's results back.
enum CurlOptions {
  /// Creates a handle with all options of a transfer.
  ///
  /// - Parameter lists: receives the lists that must exist until the handle is freed.
  /// - Returns: `nil` if libcurl can't be opened or has no memory.
  static func handle(
    for transfer: Transfer, _ exchange: Exchange, lists: inout [UnsafeMutablePointer<curl_slist>]
  ) -> UnsafeMutableRawPointer? {
    guard ccurl_open() == nil, let easy = ccurl_new() else { return nil }
    let options = Handle(easy: easy)
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    ccurl_set_callbacks(easy, receivedHeader, receivedBody, sending, opened, context)
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, transfer.words)
    options.set(CURLOPT_NOSIGNAL, 1)
    // A transfer ends without waiting for a name server.
    options.set(ccurl_quick_exit, 1)
    options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    options.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int((exchange.connectTimeout.seconds * 1000).rounded(.up))))
    // If a reused connection is just being closed, libcurl would send the request again.
    if !exchange.isRepeatable { options.set(CURLOPT_FRESH_CONNECT, 1) }
    address(exchange, options)
    request(exchange, options, &lists)
    trust(exchange, options)
    proxy(exchange, options)
    if let cookies = exchange.cookies {
      options.set(CURLOPT_COOKIEFILE, "")
      for cookie in cookies { options.set(CURLOPT_COOKIELIST, cookie) }
    }
    switch exchange.form {
    case .document: break
    case .stream: options.set(CURLOPT_BUFFERSIZE, 16 << 10)
    case .webSocket: options.set(CURLOPT_CONNECT_ONLY, 1)
    case .certificates:
      options.set(CURLOPT_CONNECT_ONLY, 1)
      options.set(CURLOPT_CERTINFO, 1)
    }
    return easy
  }

  private struct Handle {
    var easy: UnsafeMutableRawPointer

    func set(_ option: CURLoption, _ number: Int) { ccurl_set_number(easy, option, number) }
    func set(_ option: CURLoption, _ text: String) { ccurl_set_text(easy, option, text) }
    func set(_ option: CURLoption, _ bytes: Data) {
      bytes.withUnsafeBytes {
        if let start = $0.baseAddress { ccurl_set_blob(easy, option, start, $0.count) }
      }
    }
  }

  private static func address(_ exchange: Exchange, _ options: Handle) {
    options.set(CURLOPT_URL, exchange.address.requested)
    if let socket = exchange.address.socket { options.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
    // A WebSocket's connection is upgraded from HTTP/1.1.
    let isWeb = if case .webSocket = exchange.form { true } else { false }
    options.set(CURLOPT_HTTP_VERSION, Int(isWeb ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS))
  }

  private static func request(
    _ exchange: Exchange, _ options: Handle, _ lists: inout [UnsafeMutablePointer<curl_slist>]
  ) {
    if exchange.method != .get || exchange.body != nil {
      options.set(CURLOPT_CUSTOMREQUEST, exchange.method.rawValue)
    }
    if let body = exchange.body ?? (exchange.method == .get || exchange.method == .delete ? nil : Data()) {
      ccurl_set_size(options.easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
        // An empty body counts as a body.
        if let start {
          ccurl_set_pointer(options.easy, CURLOPT_COPYPOSTFIELDS, start)
        } else {
          options.set(CURLOPT_COPYPOSTFIELDS, "")
        }
      }
    }
    // These would be libcurl's defaults. No body waits for a "100 Continue", and the caller sets the type of a body.
    var lines = ["Expect:"]
    if !exchange.headers.contains(where: { $0.name.lowercased() == "accept" }) { lines.append("Accept:") }
    if !exchange.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    // A field without a value ends with a semicolon.
    lines += exchange.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = ccurl_append(list, line) ?? list }
    if let list {
      lists.append(list)
      ccurl_set_pointer(options.easy, CURLOPT_HTTPHEADER, list)
    }
    // Fields for the server are not for a proxy that makes a tunnel.
    options.set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    if let digest = exchange.digest {
      options.set(CURLOPT_HTTPAUTH, ccurl_auth_digest)
      options.set(CURLOPT_USERNAME, digest.user)
      options.set(CURLOPT_PASSWORD, digest.password)
    }
  }

  private static func trust(_ exchange: Exchange, _ options: Handle) {
    options.set(CURLOPT_SSLVERSION, ccurl_tls_1_2)
    let isChecked = if case .certificates = exchange.form { false } else { exchange.trust.verifies }
    options.set(CURLOPT_SSL_VERIFYPEER, isChecked ? 1 : 0)
    options.set(CURLOPT_SSL_VERIFYHOST, isChecked ? 2 : 0)
    if let folder = exchange.systemTrust.folder {
      options.set(CURLOPT_CAPATH, folder)
    } else if exchange.trustFiles.authorities == nil || exchange.systemTrust.file != nil {
      // The system's file, or its replacement, contains all certificates. With a folder as well, libcurl would read
      // both again for each connection.
      ccurl_set_text(options.easy, CURLOPT_CAPATH, nil)
    }
    if let authorities = exchange.trustFiles.authorities {
      options.set(CURLOPT_CAINFO_BLOB, authorities)
    } else if let file = exchange.systemTrust.file {
      options.set(CURLOPT_CAINFO, file)
    }
    guard let certificate = exchange.trustFiles.certificate else { return }
    options.set(CURLOPT_SSLCERT_BLOB, certificate)
    if let key = exchange.trustFiles.key { options.set(CURLOPT_SSLKEY_BLOB, key) }
    // Otherwise OpenSSL would ask for a key's password on the terminal.
    options.set(CURLOPT_KEYPASSWD, "")
  }

  private static func proxy(_ exchange: Exchange, _ options: Handle) {
    // With an empty string libcurl does not read the environment.
    options.set(CURLOPT_PROXY, exchange.proxy?.address ?? "")
    options.set(CURLOPT_NOPROXY, "")
    guard let proxy = exchange.proxy else { return }
    if let login = proxy.login {
      options.set(CURLOPT_PROXYUSERNAME, login.user)
      options.set(CURLOPT_PROXYPASSWORD, login.password)
    }
    // No Kerberos ticket is offered.
    options.set(CURLOPT_SOCKS5_AUTH, ccurl_auth_basic)
    if case .webSocket = exchange.form { options.set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    if let file = exchange.systemTrust.file { options.set(CURLOPT_PROXY_CAINFO, file) }
    if let folder = exchange.systemTrust.folder { options.set(CURLOPT_PROXY_CAPATH, folder) }
  }

  // MARK: Callbacks

  private static let receivedHeader: ccurl_bytes = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.receivedHeader(line) ? line.count : 0
  }

  private static let receivedBody: ccurl_bytes = { bytes, size, count, context in
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  private static let sending: ccurl_sending = { context, _, _, _, _ in
    if let context { Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().sending() }
    return CURL_PREREQFUNC_OK
  }

  private static let opened: ccurl_opened = { context, socket, _ in
    if let context { Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().opened(socket) }
    return CURL_SOCKOPT_OK
  }

  // MARK: What libcurl tells

  static func cookies(of easy: UnsafeMutableRawPointer) -> [String] {
    let list = ccurl_cookies(easy)
    defer { ccurl_free_list(list) }
    return texts(list)
  }

  /// Returns the server's certificates, its own first, each as fields such as `Expire date`.
  static func certificates(of easy: UnsafeMutableRawPointer) -> [[String: String]] {
    var certificates: [[String: String]] = []
    while let list = ccurl_certificate(easy, Int32(certificates.count)) {
      let fields = texts(list).compactMap { line -> (String, String)? in
        line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }
      certificates.append(Dictionary(fields) { first, _ in first })
    }
    return certificates
  }

  private static func texts(_ list: UnsafeMutablePointer<curl_slist>?) -> [String] {
    var texts: [String] = []
    var next = list
    while let entry = next {
      if let text = entry.pointee.data { texts.append(String(cString: text)) }
      next = entry.pointee.next
    }
    return texts
  }
}
