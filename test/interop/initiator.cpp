// An unmodified QuickFIX C++ desk with its stock FIX44.xml. Prints one line per step and a summary; a step that does not come ends it.
//   initiator <settings file> <client key> <client secret> money | stop | <pair> [<pair> ...]
#include <quickfix/FileLog.h>
#include <quickfix/FileStore.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include "stop.h"

int main(int count, char** values) {
  if (count < 5) {
    std::cerr << "usage: initiator <settings file> <client key> <client secret> money | stop | <pair> ..." << std::endl;
    return 2;
  }
  const std::vector<std::string> topics(values + 4, values + count);
  try {
    FIX::SessionSettings settings(values[1]);
    Desk desk(values[2], values[3]);
    FIX::FileStoreFactory store(settings);
    FIX::FileLogFactory log(settings);
    FIX::SocketInitiator initiator(desk, store, settings, log);
    initiator.start();
    bool done = topics[0] == "money" ? converseAboutMoney(desk) : topics[0] == "stop" ? converseAboutStop(desk) : converseAboutRates(desk, topics);
    const int before = desk.logouts;
    initiator.stop();
    done = desk.wait("logout", [&] { return desk.logouts > before; }) && done;
    std::cout << desk.summary() << std::endl;
    return done && desk.complaints() == 0 ? 0 : 1;
  } catch (std::exception& fault) {
    std::cerr << "QuickFIX: " << fault.what() << std::endl;
    return 2;
  }
}
