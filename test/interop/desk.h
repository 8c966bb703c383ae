// A desk on an unmodified QuickFIX C++: remembers what came, counts it, and waits for what a step brings about.
#pragma once

#include <quickfix/Application.h>
#include <quickfix/Message.h>
#include <quickfix/Session.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

const int AUTH_TOKEN = 20001, ERROR_CODE = 20011;
const int STEP_SECONDS = 15;

inline std::string field(const FIX::FieldMap& message, int tag) {
  return message.isSetField(tag) ? message.getField(tag) : std::string();
}
inline std::string typeOf(const FIX::Message& message) { return message.getHeader().getField(FIX::FIELD::MsgType); }

// Tag and value; the value "*" is any.
typedef std::map<int, std::string> Expected;

class Desk : public FIX::NullApplication {
 public:
  Desk(std::string key, std::string secret) : key(key), secret(secret) {}

  void onLogon(const FIX::SessionID& id) override {
    note([&] { session_ = id; loggedOn_ = true; logons++; });
  }
  void onLogout(const FIX::SessionID&) override {
    note([&] { if (loggedOn_) logouts++; loggedOn_ = false; });
  }
  void toAdmin(FIX::Message& message, const FIX::SessionID&) override {
    const std::string type = typeOf(message);
    if (type == "A") {
      message.setField(FIX::FIELD::Username, key);
      message.setField(FIX::FIELD::Password, secret);
    }
    note([&] { sent_[type]++; if (type == "3") complain("we rejected", message); });
  }
  void toApp(FIX::Message& message, const FIX::SessionID&) throw(FIX::DoNotSend) override {
    const std::string type = typeOf(message);
    note([&] { sent_[type]++; if (type == "j") complain("we rejected", message); });
  }
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) override {
    const std::string type = typeOf(message);
    note([&] {
      received_[type]++;
      if (type == "A") token = field(message, AUTH_TOKEN);
      if (type == "3") complain("they rejected", message);
    });
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) override {
    const std::string type = typeOf(message);
    note([&] {
      received_[type]++;
      // One that is sent again carries no token.
      if (type == "BF" && message.isSetField(AUTH_TOKEN)) token = field(message, AUTH_TOKEN);
      if (type == "W") price(message);
      else came_.push_back(message);
      if (type == "j" || type == "Y") complain("refused", message);
    });
  }

  bool wait(const char* step, std::function<bool()> reached) {
    std::unique_lock<std::mutex> lock(mutex_);
    const bool ok = changed_.wait_for(lock, std::chrono::seconds(STEP_SECONDS), reached);
    std::cout << (ok ? "ok " : "MISSING ") << step << std::endl;
    return ok;
  }
  // The next message of the type with these fields; what came before `from` does not count.
  bool wait(const std::string& step, const std::string& type, const Expected& expected, FIX::Message& found, size_t from) {
    return wait(step.c_str(), [&] { return find(type, expected, found, from); });
  }
  size_t mark() {
    std::lock_guard<std::mutex> lock(mutex_);
    return came_.size();
  }
  bool send(const char* type, std::function<void(FIX::Message&)> fill) {
    FIX::Message message;
    message.getHeader().setField(FIX::FIELD::MsgType, type);
    fill(message);
    return FIX::Session::sendToTarget(message, session_);
  }

  // With the lock of `wait`.
  bool find(const std::string& type, const Expected& expected, FIX::Message& found, size_t from) const {
    for (size_t i = from; i < came_.size(); i++)
      if (typeOf(came_[i]) == type && has(came_[i], expected)) { found = came_[i]; return true; }
    return false;
  }
  int received(const char* type) { return received_[type]; }
  bool loggedOn() const { return loggedOn_; }

  FIX::Session& session() { return *FIX::Session::lookupSession(session_); }
  int complaints() {
    std::lock_guard<std::mutex> lock(mutex_);
    return complaints_;
  }
  int pricesOf(const std::string& id, const std::string& pair) {
    std::lock_guard<std::mutex> lock(mutex_);
    return prices[id + " " + pair];
  }
  // QuoteEntryID(299) of the newest offer of a pair.
  std::string offerOf(const std::string& pair) {
    std::lock_guard<std::mutex> lock(mutex_);
    return offers[pair];
  }
  std::string summary() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::string text = "summary complaints=" + std::to_string(complaints_);
    for (auto& type : received_) text += " in:" + type.first + "=" + std::to_string(type.second);
    for (auto& type : sent_) text += " out:" + type.first + "=" + std::to_string(type.second);
    return text;
  }

  const std::string key, secret;
  std::string token;
  int logons = 0, logouts = 0;
  std::map<std::string, int> prices;
  std::map<std::string, std::string> offers;

 private:
  template <typename Change> void note(Change change) {
    std::lock_guard<std::mutex> lock(mutex_);
    change();
    changed_.notify_all();
  }
  // Both sides of the group must be readable by the stock dictionary.
  void price(const FIX::Message& message) {
    prices[field(message, FIX::FIELD::MDReqID) + " " + field(message, FIX::FIELD::Symbol)]++;
    for (int side = 1; side <= 2; side++) {
      FIX::Group entry(FIX::FIELD::NoMDEntries, FIX::FIELD::MDEntryType);
      message.getGroup(side, entry);
      if (field(entry, FIX::FIELD::MDEntryPx).empty()) complain("W without price", message);
      if (side == 2) offers[field(message, FIX::FIELD::Symbol)] = field(entry, FIX::FIELD::QuoteEntryID);
    }
  }
  static bool has(const FIX::Message& message, const Expected& expected) {
    for (auto& each : expected) {
      const std::string value = message.getHeader().isSetField(each.first) ? message.getHeader().getField(each.first) : field(message, each.first);
      if (each.second == "*" ? value.empty() : value != each.second) return false;
    }
    return true;
  }
  void complain(const char* what, const FIX::Message& message) {
    complaints_++;
    // Never the message itself: it may hold the token.
    std::cout << "COMPLAINT " << what << " " << field(message, FIX::FIELD::RefMsgType) << " tag " << field(message, FIX::FIELD::RefTagID)
              << " " << field(message, ERROR_CODE) << " " << field(message, FIX::FIELD::Text) << std::endl;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, int> received_, sent_;
  std::vector<FIX::Message> came_;
  FIX::SessionID session_;
  bool loggedOn_ = false;
  int complaints_ = 0;
};
