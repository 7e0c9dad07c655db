#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef __APPLE__
static const char *const library_name = "libcurl.4.dylib";
#else
static const char *const library_name = "libcurl.so.4";
#endif

// One table of what is used: a name that is missing is found when the library is opened.
#define FUNCTIONS(F)                                                                                                  \
  F(curl_global_init)                                                                                                 \
  F(curl_version_info)                                                                                                \
  F(curl_easy_init)                                                                                                   \
  F(curl_easy_cleanup)                                                                                                \
  F(curl_easy_setopt)                                                                                                 \
  F(curl_easy_getinfo)                                                                                                \
  F(curl_easy_pause)                                                                                                  \
  F(curl_easy_send)                                                                                                   \
  F(curl_easy_recv)                                                                                                   \
  F(curl_slist_append)                                                                                                \
  F(curl_slist_free_all)                                                                                              \
  F(curl_multi_init)                                                                                                  \
  F(curl_multi_cleanup)                                                                                               \
  F(curl_multi_add_handle)                                                                                            \
  F(curl_multi_remove_handle)                                                                                         \
  F(curl_multi_perform)                                                                                               \
  F(curl_multi_poll)                                                                                                  \
  F(curl_multi_wakeup)                                                                                                \
  F(curl_multi_info_read)

#undef curl_easy_setopt
#undef curl_easy_getinfo
#define MEMBER(name) __typeof__(&name) name;
static struct { FUNCTIONS(MEMBER) } curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void open_library(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    failure = dlerror();
    return;
  }
#define LOAD(name)                                                                                                    \
  if (!(curl.name = (__typeof__(&name))dlsym(library, #name))) {                                                      \
    failure = dlerror();                                                                                              \
    return;                                                                                                           \
  }
  FUNCTIONS(LOAD)
  if (curl.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) failure = "libcurl could not be initialized";
}

const char *ccurl_open(void) {
  pthread_once(&once, open_library);
  return failure;
}

const char *ccurl_version(void) { return curl.curl_version_info(CURLVERSION_NOW)->version; }

const char *ccurl_authorities(void) {
  const curl_version_info_data *info = curl.curl_version_info(CURLVERSION_NOW);
  return info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
}

const char *ccurl_authorities_folder(void) {
  const curl_version_info_data *info = curl.curl_version_info(CURLVERSION_NOW);
  return info->age >= CURLVERSION_SEVENTH ? info->capath : NULL;
}

CURL *ccurl_new(void) { return curl.curl_easy_init(); }
void ccurl_free(CURL *easy) { curl.curl_easy_cleanup(easy); }

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl.curl_easy_setopt(easy, option, &blob);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_callbacks(
    CURL *easy, ccurl_bytes header, ccurl_bytes received, ccurl_sending sending, ccurl_opened opened,
    void *context) {
  CURLcode code = curl.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, received);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, sending);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, opened);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, context);
  if (code == CURLE_OK) code = curl.curl_easy_setopt(easy, CURLOPT_PRIVATE, context);
  return code;
}

long ccurl_number(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_socket_t ccurl_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl.curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

struct curl_slist *ccurl_cookies(CURL *easy) {
  struct curl_slist *list = NULL;
  return curl.curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &list) == CURLE_OK ? list : NULL;
}

struct curl_slist *ccurl_certificate(CURL *easy, int index) {
  struct curl_certinfo *info = NULL;
  if (curl.curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || !info) return NULL;
  return index >= 0 && index < info->num_of_certs ? info->certinfo[index] : NULL;
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
  return curl.curl_slist_append(list, text);
}

void ccurl_free_list(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLcode ccurl_pause(CURL *easy, int directions) { return curl.curl_easy_pause(easy, directions); }

CURLcode ccurl_send(CURL *easy, const void *bytes, size_t count, size_t *sent) {
  return curl.curl_easy_send(easy, bytes, count, sent);
}

CURLcode ccurl_receive(CURL *easy, void *bytes, size_t room, size_t *count) {
  return curl.curl_easy_recv(easy, bytes, room, count);
}

CURLM *ccurl_multi_new(void) { return curl.curl_multi_init(); }
void ccurl_multi_free(CURLM *multi) { curl.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return curl.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return curl.curl_multi_remove_handle(multi, easy); }

CURLMcode ccurl_multi_perform(CURLM *multi) {
  int running = 0;
  return curl.curl_multi_perform(multi, &running);
}

CURLMcode ccurl_multi_wait(CURLM *multi, struct curl_waitfd *sockets, unsigned int count, int milliseconds) {
  return curl.curl_multi_poll(multi, sockets, count, milliseconds, NULL);
}

CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.curl_multi_wakeup(multi); }

CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result) {
  CURLMsg *message = NULL;
  int left = 0;
  while ((message = curl.curl_multi_info_read(multi, &left)))
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return NULL;
}
