package com.acme;

import java.util.concurrent.locks.ReentrantLock;

public class Account {
    private final ReentrantLock lock = new ReentrantLock();
    private int balance;

    public Account(int balance) {
        this.balance = balance;
    }

    public void transfer(Account to, int amount) {
        lock.lock();
        try {
            to.lock.lock();
            try {
                balance -= amount;
                to.balance += amount;
            } finally {
                to.lock.unlock();
            }
        } finally {
            lock.unlock();
        }
    }

    public int balance() {
        return balance;
    }
}
