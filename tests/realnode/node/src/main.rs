//! node LEDGER RPC_PORT MINT_KEYPAIR [--alpenglow] [--ticks N]
//!
//! One validator on loopback with a genesis of its own, whose SOL the key has: RPC on the port, WebSocket on the next one,
//! a faucet on the one after. It goes on with a ledger that exists, and runs until it is killed.
use solana_faucet::faucet::{Faucet, run_faucet};
use solana_keypair::read_keypair_file;
use solana_net_utils::SocketAddrSpace;
use solana_rpc::rpc::JsonRpcConfig;
use solana_signer::Signer;
use solana_test_validator::TestValidatorGenesis;
use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex},
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ledger = PathBuf::from(&args[1]);
    let port: u16 = args[2].parse().expect("a port");
    let mint = read_keypair_file(&args[3]).expect("a file of 64 numbers");
    let address = mint.pubkey();
    let faucet: SocketAddr = format!("127.0.0.1:{}", port + 2).parse().expect("an address");

    let mut genesis = TestValidatorGenesis::default();
    genesis
        .ledger_path(ledger)
        .rpc_port(port)
        .rpc_config(JsonRpcConfig {
            enable_rpc_transaction_history: true,
            enable_extended_tx_metadata_storage: true,
            faucet_addr: Some(faucet),
            full_api: true,
            disable_health_check: true,
            rpc_threads: 2,
            rpc_blocking_threads: 2,
            ..JsonRpcConfig::default()
        });
    let mut words = args[4..].iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--alpenglow" => {
                genesis.activate_alpenglow();
            }
            "--ticks" => {
                let ticks = words.next().expect("a number").parse().expect("a number");
                genesis.ticks_per_slot(ticks);
            }
            other => panic!("unknown {other}"),
        }
    }

    agave_logger::setup_with_default("error");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let faucet_of_mint = Arc::new(Mutex::new(Faucet::new(mint, None, None, None)));
        runtime.block_on(run_faucet(faucet_of_mint, faucet, None));
    });
    let validator = genesis
        .start_with_mint_address(address, SocketAddrSpace::new(true))
        .expect("the validator starts");
    println!("{} {}", validator.rpc_url(), validator.rpc_pubsub_url());
    loop {
        std::thread::park();
    }
}
